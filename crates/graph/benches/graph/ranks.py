"""Ranks a graph with scipy, networkit or graph-tool; prints what that took as one line of JSON."""

import json
import sys
import time

import numpy

library, graph_file, ranks_file, beta, tolerance = sys.argv[1:]
beta, tolerance = float(beta), float(tolerance)
if library == "scipy":
    import scipy.sparse
elif library == "networkit":
    import networkit
else:
    import graph_tool
    import graph_tool.centrality


def resident():
    with open("/proc/self/statm") as file:
        return 4096 * int(file.read().split()[1])


def read():
    with open(graph_file, "rb") as file:
        num_nodes, num_arcs = (int(number) for number in numpy.fromfile(file, "<u8", 2))
        starts = numpy.fromfile(file, "<u8", num_nodes + 1)
        return starts, numpy.fromfile(file, "<i4", num_arcs)


def with_scipy(starts, sources):
    num_nodes = len(starts) - 1
    degrees = numpy.bincount(sources, minlength=num_nodes)
    weights = 1.0 / degrees[sources]
    matrix = scipy.sparse.csr_array(
        (weights, sources, starts.astype("<i4")), shape=(num_nodes, num_nodes)
    )
    dead_ends = numpy.flatnonzero(degrees == 0)
    del starts, degrees
    held, iterations = 0, 0
    began, cpu = time.perf_counter(), time.process_time()
    ranks = numpy.full(num_nodes, 1.0 / num_nodes)
    while True:
        new = matrix @ ranks
        new *= beta
        new += (1.0 - beta + beta * ranks[dead_ends].sum()) / num_nodes
        iterations += 1
        if iterations == 3:
            held = resident()
        ranks -= new
        moved = numpy.abs(ranks, out=ranks).sum()
        ranks = new
        if moved <= tolerance:
            break
    cpu, seconds = time.process_time() - cpu, time.perf_counter() - began
    return ranks, iterations, cpu, seconds, held


def with_networkit(starts, sources):
    num_nodes = len(starts) - 1
    targets = numpy.repeat(numpy.arange(num_nodes, dtype="<u8"), numpy.diff(starts).astype("<i8"))
    graph = networkit.graph.GraphFromCoo(
        (sources.astype("<u8"), targets), n=num_nodes, directed=True
    )
    del targets, starts, sources
    sinks = networkit.centrality.SinkHandling.DistributeSinks
    ranking = networkit.centrality.PageRank(graph, beta, tolerance, distributeSinks=sinks)
    ranking.norm = networkit.centrality.Norm.L1_NORM
    began, cpu = time.perf_counter(), time.process_time()
    ranking.run()
    cpu, seconds = time.process_time() - cpu, time.perf_counter() - began
    held = resident()
    return numpy.array(ranking.scores()), ranking.numberOfIterations(), cpu, seconds, held


def with_graph_tool(starts, sources):
    num_nodes = len(starts) - 1
    targets = numpy.repeat(numpy.arange(num_nodes, dtype="<i8"), numpy.diff(starts).astype("<i8"))
    graph = graph_tool.Graph(directed=True)
    graph.add_vertex(num_nodes)
    graph.add_edge_list(numpy.column_stack((sources.astype("<i8"), targets)))
    del targets, starts, sources
    began, cpu = time.perf_counter(), time.process_time()
    ranks, iterations = graph_tool.centrality.pagerank(
        graph, damping=beta, epsilon=tolerance, ret_iter=True
    )
    cpu, seconds = time.process_time() - cpu, time.perf_counter() - began
    return numpy.array(ranks.a), iterations, cpu, seconds, resident()


before = resident()
ways = {"scipy": with_scipy, "networkit": with_networkit, "graph-tool": with_graph_tool}
rank = ways[library]
ranks, iterations, cpu, seconds, held = rank(*read())
ranks.astype("<f8").tofile(ranks_file)
taken = {"iterations": iterations, "cpu_seconds": cpu, "seconds": seconds, "bytes": held - before}
print(json.dumps(taken))
