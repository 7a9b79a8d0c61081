# The gateway as a container: Node, the libraries that it loads, and the built programs. No shell, no package manager, no distribution.
# What is in it: build/container/assemble.ts. Why: docs/decisions/0061-image-without-a-distribution.md.
FROM node:24-bookworm AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY LICENSE tsconfig.json ./
COPY lib lib
COPY functions functions
COPY server server
COPY dashboard dashboard
COPY infra infra
COPY build build
COPY cli cli
COPY local local
COPY sandbox sandbox
# With the Node of the lockfile, which the tests run with; it is also the one in the image.
RUN npm run image -- /image

FROM scratch
COPY --from=build /image /
LABEL org.opencontainers.image.title="Model gateway" \
      org.opencontainers.image.description="One OpenAI-shaped HTTP interface over many model providers" \
      org.opencontainers.image.licenses="Apache-2.0"
USER 65532:65532
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["/usr/bin/node", "/app/health.mjs"]
ENTRYPOINT ["/usr/bin/node"]
CMD ["/app/server/index.mjs"]
