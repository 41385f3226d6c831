/** The flags of kube-apiserver, 1.16 to 1.36, by their treatment. */

/** A switch takes a value only after `=`. */
export type FlagKind = 'value' | 'switch'

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Options of `orch serve` under the same name. */
const same: Readonly<Record<FlagKind, readonly string[]>> = {
  value: words(`
    admission-control-config-file advertise-address api-audiences audit-log-maxage audit-log-maxbackup
    audit-log-maxsize audit-log-path audit-log-truncate-max-event-size audit-policy-file
    audit-webhook-batch-buffer-size audit-webhook-batch-max-size audit-webhook-batch-max-wait
    audit-webhook-batch-throttle-burst audit-webhook-batch-throttle-qps audit-webhook-config-file
    audit-webhook-initial-backoff audit-webhook-mode audit-webhook-truncate-max-batch-size
    audit-webhook-truncate-max-event-size authentication-config authentication-token-webhook-cache-ttl
    authentication-token-webhook-config-file authentication-token-webhook-version authorization-config
    authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl
    authorization-webhook-config-file authorization-webhook-version bind-address client-ca-file
    default-not-ready-toleration-seconds default-unreachable-toleration-seconds event-ttl
    http2-max-streams-per-connection livez-grace-period max-mutating-requests-inflight max-requests-inflight
    min-request-timeout oidc-ca-file oidc-client-id oidc-groups-claim oidc-groups-prefix oidc-issuer-url
    oidc-required-claim oidc-signing-algs oidc-username-claim oidc-username-prefix proxy-client-cert-file
    proxy-client-key-file request-timeout requestheader-allowed-names requestheader-client-ca-file
    requestheader-extra-headers-prefix requestheader-group-headers requestheader-uid-headers
    requestheader-username-headers runtime-config
    secure-port service-account-issuer service-account-jwks-uri service-account-key-file
    service-account-max-token-expiration service-account-signing-key-file service-cluster-ip-range
    service-node-port-range shutdown-delay-duration tls-cert-file tls-private-key-file token-auth-file
    tracing-config-file v`),
  switch: words(`
    anonymous-auth audit-log-truncate-enabled audit-webhook-batch-throttle-enable audit-webhook-truncate-enabled
    disable-http2-serving enable-bootstrap-token-auth enable-priority-and-fairness
    encryption-provider-config-automatic-reload service-account-extend-token-expiration service-account-lookup`),
}

/** Flags that are translated. */
const translated: Readonly<Record<FlagKind, readonly string[]>> = {
  value: words(`
    authorization-mode cert-dir controllers disable-admission-plugins enable-admission-plugins
    emulated-version encryption-provider-config etcd-servers experimental-encryption-provider-config feature-gates
    insecure-bind-address insecure-port`),
  switch: words('allow-privileged'),
}

/** Flags for features that do not exist here: other stores, real nodes, clouds, other log formats. */
const meaningless: Readonly<Record<FlagKind, readonly string[]>> = {
  value: words(`
    address admission-control allow-metric-labels allow-metric-labels-manifest apiserver-count
    audit-log-batch-buffer-size audit-log-batch-max-size audit-log-batch-max-wait audit-log-batch-throttle-burst
    audit-log-batch-throttle-qps audit-log-format audit-log-mode audit-log-truncate-max-batch-size
    audit-log-version audit-webhook-batch-initial-backoff audit-webhook-version authorization-policy-file
    basic-auth-file cloud-config cloud-provider cloud-provider-gce-l7lb-src-cidrs cloud-provider-gce-lb-src-cidrs
    coordinated-leadership-lease-duration coordinated-leadership-renew-deadline
    coordinated-leadership-retry-period cors-allowed-origins debug-socket-path default-watch-cache-size
    delete-collection-workers deserialization-cache-size disabled-metrics egress-selector-config-file
    endpoint-reconciler-type etcd-cafile etcd-certfile etcd-compaction-interval
    etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-keyfile etcd-prefix
    etcd-readycheck-timeout etcd-servers-overrides external-hostname goaway-chance identity-lease-duration-seconds
    identity-lease-renew-interval-seconds kubelet-certificate-authority kubelet-client-certificate
    kubelet-client-key kubelet-port kubelet-preferred-address-types kubelet-read-only-port kubelet-timeout
    kubernetes-service-node-port lease-reuse-duration-seconds log-backtrace-at log-dir log-file log-file-max-size
    log-flush-frequency log-json-info-buffer-size log-text-info-buffer-size logging-format
    master-service-namespace max-connection-bytes-per-sec min-compatibility-version peer-advertise-ip peer-advertise-port peer-ca-file port
    service-account-api-audiences service-account-signing-endpoint show-hidden-metrics-for-version
    shutdown-watch-termination-grace-period ssh-keyfile ssh-user stderrthreshold storage-backend
    storage-initialization-timeout storage-media-type storage-versions strict-transport-security-directives
    target-ram-mb tls-cipher-suites tls-min-version tls-sni-cert-key vmodule watch-cache-sizes`),
  switch: words(`
    add-dir-header aggregator-reject-forwarding-redirect alsologtostderr audit-log-batch-throttle-enable
    audit-log-compress contention-profiling emulation-forward-compatible enable-aggregator-routing
    enable-garbage-collector enable-inflight-quota-handler enable-logs-handler enable-swagger-ui
    experimental-logging-sanitization kubelet-https log-json-split-stream log-text-split-stream logtostderr
    one-output permit-address-sharing runtime-config-emulation-forward-compatible permit-port-sharing profiling repair-malformed-updates
    shutdown-send-retry-after skip-headers skip-log-headers watch-cache`),
}

/** The treatment of a flag. */
export type FlagUse = 'same' | 'translated' | 'meaningless'
/** A flag of the reference. */
export interface ReferenceFlag {
  readonly name: string
  readonly kind: FlagKind
  readonly use: FlagUse
}

const flagsOf = (use: FlagUse, lists: Readonly<Record<FlagKind, readonly string[]>>): ReferenceFlag[] =>
  (['value', 'switch'] as const).flatMap(kind => lists[kind].map(name => ({ name, kind, use })))

/** All of them, by name. */
export const referenceFlags = (): ReadonlyMap<string, ReferenceFlag> =>
  new Map(
    [...flagsOf('same', same), ...flagsOf('translated', translated), ...flagsOf('meaningless', meaningless)].map(
      flag => [flag.name, flag],
    ),
  )

/** The help of kube-apiserver. Callers search it for supported flags, one per line. */
export function referenceHelp(): string {
  const notes: Readonly<Record<FlagUse, string>> = {
    same: 'As in orch serve.',
    translated: 'See the README of the envtest plugin of orch.',
    meaningless: 'Accepted, without effect.',
  }
  const rows = [...referenceFlags().values()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, kind, use }) => `      --${name}${kind === 'value' ? ' value' : ''}   ${notes[use]}`)
  return `An API server for tests, by orch, with the flags of kube-apiserver.\n\nUsage:\n  kube-apiserver [flags]\n\nFlags:\n\n${rows.join('\n')}\n`
}
