/** The measured costs: CPU in milliseconds on one core, for objects of 1 KiB. */
export interface Costs {
  readonly get: number
  readonly create: number
  /** Of one object in a list of all. */
  readonly list: number
  /** On disk, of one object. */
  readonly bytes: number
  readonly idleMiB: number
  readonly watch: { readonly eventCpuMs: number; readonly openCpuMs: number; readonly kib: number }
  readonly etcd: {
    readonly get: number
    /** Of a write, at the server that handles it. */
    readonly own: number
    /** Of the same write, at every other server, for its replica and watches. */
    readonly others: number
    /** Of the same write, at the leader of etcd. */
    readonly member: number
  }
}

const rate = (cpuMs: number): string => `${Math.round(1000 / cpuMs).toLocaleString('en')}/s`
const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`

/** The total write rate of `servers`, or of workers, with a core each: each does its share and follows all others. */
export const writesOf = ({ own, others }: Pick<Costs['etcd'], 'own' | 'others'>, servers: number): number =>
  1000 / (own / servers + (others * (servers - 1)) / servers)

/** Predictions for sizes that do not fit a small machine. */
export function predictions({ get, create, list, bytes, idleMiB, watch, etcd }: Costs): string[] {
  const million = 1e6
  const crowd = 1e5
  return [
    'A million objects of 1 KiB on one server:',
    `  disk ${gib(bytes * million)}; memory as with none, ${Math.round(idleMiB)} MiB; get ${rate(get)}, create ${rate(create)} on one core`,
    `  a list of all: ${((list * million) / 1000).toFixed(1)} s of CPU, in constant memory`,
    'A hundred thousand watchers of one server, each on a connection of its own:',
    `  memory ${gib(watch.kib * 1024 * crowd)}; opening them all ${((watch.openCpuMs * crowd) / 1000).toFixed(0)} s of CPU`,
    `  an event for all of them ${((watch.eventCpuMs * crowd) / 1000).toFixed(2)} s of CPU, so ${rate(watch.eventCpuMs * crowd)} on one core`,
    ...[1, 3, 10].map(servers => {
      const writes = Math.round(writesOf(etcd, servers))
      const bound = 1000 / etcd.member
      const first = writes < bound ? 'the servers are the bound' : 'etcd is the bound'
      return `${servers} server${servers > 1 ? 's' : ''} on etcd, a core each: get ${rate(etcd.get / servers)}; writes ${writes.toLocaleString('en')}/s, and a core of etcd's leader ${Math.round(bound).toLocaleString('en')}/s: ${first}`
    }),
    `However many servers: at most ${rate(etcd.others)} writes, since every server follows every write.`,
  ]
}
