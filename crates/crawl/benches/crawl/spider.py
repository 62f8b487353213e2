"""Follows all links of a web on loopback with Scrapy, and says what it took."""

import json
import resource
import sys
import time

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

homes, concurrency = json.load(sys.stdin)
found = {"pages": 0, "bytes": 0}


class Bench(Spider):
    name = "bench"
    links = LinkExtractor()

    async def start(self):
        for home in homes:
            yield Request(home)

    def parse(self, response):
        found["pages"] += 1
        found["bytes"] += len(response.body)
        for link in self.links.extract_links(response):
            yield Request(link.url)


process = CrawlerProcess(
    {
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "COOKIES_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "ERROR",
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
        "TELNETCONSOLE_ENABLED": False,
    }
)
process.crawl(Bench)


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


# Starting Python and importing Scrapy is no part of crawling.
began, cpu_before = time.monotonic(), cpu()
process.start()
found["cpu_seconds"] = cpu() - cpu_before
found["seconds"] = time.monotonic() - began
found["most_memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
found["idle_share"] = 0.0
print(json.dumps(found))
