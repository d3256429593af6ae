# rulec with all that compiled games need:
#
#   docker build -t rulec .
#   docker run --rm -it -v "$PWD:/games" rulec check hop/hop.s3
#   docker run --rm -it -v "$PWD:/games" -p 7878:7878 rulec serve hop/hop.s3 --address 0.0.0.0 --token SECRET
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN cargo install --locked --root /opt/rulec --path compiler/cli \
    && cargo install --locked --root /opt/rulec --path compiler/robot

FROM rust:1.95-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/rulec/bin /opt/rulec/bin
COPY . /opt/rulec/share/rulec
ENV PATH=/opt/rulec/bin:$PATH RULEC_CACHE=/var/cache/rulec
# The first game compiles what all games share, and fetches their packages: later ones need no network.
RUN rulec run /opt/rulec/share/rulec/games/s3/connect_four.s3 -- selfplay --games 1000 \
    && chmod -R a+rwX /var/cache/rulec /usr/local/cargo
WORKDIR /games
ENTRYPOINT ["rulec"]
CMD ["--help"]
