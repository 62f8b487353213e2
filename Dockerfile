# Lookfar in a container; docs/install.md says how to use it.
#
#   docker build --tag lookfar .
#   docker run --rm -it --volume lookfar:/var/lib/lookfar lookfar init
#   docker run --detach --publish 127.0.0.1:7700:7700 --volume lookfar:/var/lib/lookfar lookfar

FROM rust:1.95-slim-bookworm AS build
WORKDIR /source
COPY . .
RUN cargo build --locked --profile dist --package cli

FROM debian:bookworm-slim
RUN groupadd --gid 7700 lookfar \
    && useradd --uid 7700 --gid 7700 --no-create-home --home-dir /var/lib/lookfar \
        --shell /usr/sbin/nologin lookfar \
    && install --directory --owner=lookfar --group=lookfar --mode=0750 /var/lib/lookfar
COPY --from=build /source/target/dist/lookfar /usr/local/bin/lookfar
# By number: where only users other than root may run, names are not looked up.
USER 7700:7700
WORKDIR /var/lib/lookfar
ENV LOOKFAR_DIR=/var/lib/lookfar
VOLUME ["/var/lib/lookfar"]
EXPOSE 7700
# Ends cleanly: requests under way come to their end, and the index keeps what it has read.
STOPSIGNAL SIGTERM
# Asks /healthz.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["lookfar", "health", "--port", "7700"]
ENTRYPOINT ["lookfar"]
# A container has a network of its own; what may reach it, `docker run --publish` says.
CMD ["up", "--listen", "0.0.0.0:7700"]
