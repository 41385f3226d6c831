import { Type } from 'orch/sdk'

const file = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

export const EtcdOptions = Type.Object({
  etcdServers: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'Members of the etcd cluster, such as https://10.0.0.1:2379. Required with --storage-engine=etcd.',
  }),
  etcdPrefix: Type.String({
    pattern: '^/.*[^/]$',
    default: '/registry',
    description: 'Prefix of all keys in etcd. All servers of one API use the same.',
  }),
  etcdReplica: Type.Boolean({
    default: true,
    description:
      'Maintain a replica of all objects in --data-dir and serve reads from it, once etcd has confirmed that it is up to date. Without it every read goes to etcd.',
  }),
  etcdCafile: file('Certificate authority (PEM) of the etcd servers; those of the system by default.'),
  etcdCertfile: file('Client certificate (PEM) for etcd.'),
  etcdKeyfile: file('Private key of --etcd-certfile (PEM).'),
})
export type EtcdOptions = typeof EtcdOptions.static
