import { Kind } from '../resource/meta.js'
import { embedded, Int32, kept, MicroTime, type Static, Struct, Text } from '../resource/schema.js'

/** Who holds the lease, and for how long. */
export const LeaseSpec = Struct(
  'coordination.v1.LeaseSpec',
  {
    holderIdentity: kept(1, Text(), 'Identity of the holder.'),
    leaseDurationSeconds: kept(
      2,
      Int32({ minimum: 1 }),
      'How long others must wait after the last renewal before they may acquire it.',
    ),
    acquireTime: kept(3, MicroTime(), 'When the current holder acquired it.'),
    renewTime: kept(4, MicroTime(), 'When the holder last renewed it.'),
    leaseTransitions: kept(5, Int32({ minimum: 0 }), 'How often the holder has changed.'),
    strategy: kept(6, Text(), {
      description: 'How the server elects the holder among the candidates, such as OldestEmulationVersion.',
      since: '1.31',
      gate: 'CoordinatedLeaderElection',
    }),
    preferredHolder: kept(7, Text(), {
      description: 'The holder to which the current holder should yield the lease. Only with a strategy.',
      since: '1.31',
      gate: 'CoordinatedLeaderElection',
    }),
  },
  { description: 'Who holds the lease, and for how long.' },
)
export type LeaseSpec = Static<typeof LeaseSpec>

/** A lock that expires unless its holder renews it. */
export const Lease = Kind(
  'coordination.v1.Lease',
  {
    spec: embedded(2, LeaseSpec, 'Desired state.'),
  },
  { description: 'A lock that expires unless its holder renews it.' },
)
export type Lease = Static<typeof Lease>
