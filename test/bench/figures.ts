/** The figures of the reference on two cores, and the targets of this server. The peer is Kubernetes 1.23 with etcd 3.4. */
export interface Figure {
  readonly peer?: number
  readonly reach?: number
}
const figure = (peer?: number, reach?: number): Figure => ({ peer, reach })

export const figures: Readonly<Record<string, Readonly<Record<string, Figure>>>> = {
  coldstart: { 'ready ms': figure(6200, 600), 'idle private MiB': figure(227, 110) },
  'create-c1': { 'rate ops/s': figure(507, 1000) },
  'create-c16': { 'rate ops/s': figure(1072, 4500) },
  'create-c64': { 'rate ops/s': figure(1230, 6000), 'server cpu ms/op': figure(1.45, 0.2) },
  'get-c64': { 'rate ops/s': figure(2350, 8000), 'server cpu ms/op': figure(0.67, 0.11) },
  'update-c16': { 'rate ops/s': figure(921, 4000), 'server cpu ms/op': figure(1.95, 0.3) },
  'mergepatch-c16': { 'rate ops/s': figure(807, 3500), 'server cpu ms/op': figure(2.2, 0.3) },
  'apply-c16': { 'rate ops/s': figure(615), 'server cpu ms/op': figure(2.9) },
  'contention-c16': { 'rate ops/s': figure(106, 2000) },
  'list-c1': { 'list p50 ms': figure(300, 35), 'server cpu ms/list': figure(440, 30) },
  'list-c8': { 'wall ms': figure(1900, 250), 'server cpu ms/list': figure(385) },
  'list-pages500': { 'list p50 ms': figure(379, 80) },
  'list-label1pct': { 'list p50 ms': figure(194, 15) },
  'list-rv0': { 'list p50 ms': figure(165) },
  'list-rv0-label1pct': { 'list p50 ms': figure(9.9) },
  'biglist-c10': { 'wall ms': figure(10_600, 2000), 'private growth MiB': figure(7400, 150) },
  'watch-w1000-burst': {
    'delivered events/s': figure(20_900, 100_000),
    'server cpu ms/1000 events': figure(50, 8),
  },
  'watch-init-1000x1000': { 'all ready ms': figure(45_000, 4000), 'private growth MiB': figure(2000, 150) },
  'delete-10k-c16': { 'wall ms': figure(9200, 2500) },
  'deletecollection-10k': { 'wall ms': figure(14_800, 1000) },
  // The reference delays the first object of a new type by two seconds.
  'first-object': { 'wait p50 ms': figure(2000, 50) },
  'definitions-500': {
    'last served s': figure(20, 4),
    'server cpu s, once quiet': figure(190, 4),
    'private growth MiB': figure(570, 60),
  },
  'definitions-5000': {
    'last served s': figure(undefined, 45),
    'private growth MiB': figure(undefined, 500),
    'start s': figure(undefined, 3),
  },
  'clients-published': {
    'server cpu s': figure(undefined, 20),
    'private growth MiB': figure(undefined, 150),
    'longest turn ms': figure(undefined, 50),
    'first object max ms': figure(undefined, 100),
    'start s, best': figure(undefined, 1.5),
  },
  'clients-stream': { 'cpu beside list': figure(undefined, 1.3) },
  'clients-discovery': { 'cached cpu ms': figure(undefined, 1) },
  'clients-documents': {
    'discovery longest turn ms': figure(undefined, 50),
    'aggregated discovery longest turn ms': figure(undefined, 50),
    'openapi v2 longest turn ms': figure(undefined, 50),
    'openapi v3 longest turn ms': figure(undefined, 50),
    'openapi v3 index longest turn ms': figure(undefined, 50),
  },
}
