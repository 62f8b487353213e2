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
RUN useradd --system --uid 7700 --no-create-home --home-dir /var/lib/lookfar lookfar \
    && install --directory --owner=lookfar --group=lookfar --mode=0750 /var/lib/lookfar
COPY --from=build /source/target/dist/lookfar /usr/local/bin/lookfar
USER lookfar
WORKDIR /var/lib/lookfar
ENV LOOKFAR_DIR=/var/lib/lookfar
VOLUME ["/var/lib/lookfar"]
EXPOSE 7700
# Ends cleanly: the index is brought up to date first.
STOPSIGNAL SIGTERM
# Asks /healthz.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["lookfar", "health", "--port", "7700"]
ENTRYPOINT ["lookfar"]
# A container has a network of its own; what may reach it, `docker run --publish` says.
CMD ["up", "--listen", "0.0.0.0:7700"]
