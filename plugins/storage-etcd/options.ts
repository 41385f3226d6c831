import { Type } from 'orch/sdk'

const file = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

export const EtcdOptions = Type.Object({
  etcdServers: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'Members of the etcd cluster, such as https://10.0.0.1:2379. Needed with --storage-engine=etcd.',
  }),
  etcdPrefix: Type.String({
    pattern: '^/.*[^/]$',
    default: '/registry',
    description: 'Where in etcd everything is kept. All servers of one API use the same.',
  }),
  etcdReplica: Type.Boolean({
    default: true,
    description:
      'Keep a copy of everything in --data-dir and answer reads from it, once etcd has confirmed that it is up to date. Without it every read asks etcd.',
  }),
  etcdCafile: file('Certificate authority (PEM) of the etcd servers; those of the system by default.'),
  etcdCertfile: file('Client certificate (PEM) for etcd.'),
  etcdKeyfile: file('Private key of --etcd-certfile (PEM).'),
})
export type EtcdOptions = typeof EtcdOptions.static
