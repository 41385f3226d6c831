# syntax=docker/dockerfile:1
# orch in a container: `docker build --tag orch .`, then `docker compose up`. Slim, not root, and nothing but /data is written.
# Without docker, `npm run container:follow` does what these steps say, on this machine.

FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --no-audit --no-fund

# What the program needs while it runs, pinned by the same lockfile. No script of a package is run.
FROM node:22-bookworm-slim AS dependencies
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /opt/orch
COPY --from=dependencies /build/node_modules node_modules
COPY --from=build /build/dist/bundled dist/bundled
COPY package.json orch.config.ts LICENSE ./
RUN install -d -m 0700 -o 65532 -g 65532 /data
# A number, so that who runs it can see that it is not root.
USER 65532:65532
VOLUME /data
EXPOSE 6443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 \
  CMD ["node", "/opt/orch/dist/bundled/orchctl/main.js", "--config", "/data/admin.conf", "get", "--raw", "/livez"]
ENTRYPOINT ["node", "/opt/orch/dist/bundled/kernel/main.js"]
CMD ["serve", "--data-dir", "/data", "--bind-address", "0.0.0.0", "--log-format", "json", "--console-link=false"]
