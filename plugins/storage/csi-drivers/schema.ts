import { AtomicList, Bool, field, Int64, Kind, kept, required, SetList, type Static, Struct, Text } from 'orch/sdk'

export const TokenRequest = Struct(
  'storage.v1.TokenRequest',
  {
    audience: required(1, Text(), 'Who the token is for.'),
    expirationSeconds: kept(2, Int64(), 'Lifetime of the token in seconds, at least 600.'),
  },
  { description: 'A token of the Pods that use the driver.' },
)
export type TokenRequest = Static<typeof TokenRequest>

const groupPolicies: readonly string[] = ['File', 'None', 'ReadWriteOnceWithFSType']

export const CSIDriverSpec = Struct(
  'storage.v1.CSIDriverSpec',
  {
    attachRequired: kept(1, Bool(), {
      description: 'Whether volumes must be attached before they are mounted. True by default; it cannot be changed.',
      default: true,
    }),
    podInfoOnMount: kept(2, Bool(), {
      description: 'Whether the driver receives information about the Pod when it mounts. False by default.',
      default: false,
    }),
    volumeLifecycleModes: field(3, SetList(Text()), {
      description: 'Persistent, Ephemeral or both. It cannot be changed.',
      default: ['Persistent'],
    }),
    storageCapacity: kept(4, Bool(), {
      description: 'Whether the scheduler looks at the capacities that the driver reports.',
      default: false,
    }),
    fsGroupPolicy: kept(5, Text({ enum: groupPolicies }), {
      description: 'Whether the ownership of volumes can be changed: ReadWriteOnceWithFSType, File or None.',
      default: 'ReadWriteOnceWithFSType',
    }),
    tokenRequests: field(6, AtomicList(TokenRequest), "Tokens of the Pod's service account that the driver wants."),
    requiresRepublish: kept(7, Bool(), {
      description: 'Whether mounted volumes are published again from time to time.',
      default: false,
    }),
    seLinuxMount: kept(8, Bool(), {
      description: 'Whether volumes can be mounted with the SELinux context of their Pod.',
      default: false,
      since: '1.25',
      gate: 'SELinuxMountReadWriteOncePod',
    }),
    nodeAllocatableUpdatePeriodSeconds: kept(9, Int64(), {
      description: 'How often the number of volumes that a node can attach is updated, in seconds, at least 10.',
      since: '1.33',
      gate: 'MutableCSINodeAllocatableCount',
    }),
    serviceAccountTokenInSecrets: kept(10, Bool(), {
      description: 'Whether the tokens are passed with the secrets of a call instead of its context.',
      since: '1.35',
      gate: 'CSIServiceAccountTokenSecrets',
    }),
    preventPodSchedulingIfMissing: kept(11, Bool(), {
      description: 'Whether Pods that need the driver are not scheduled to nodes that do not have it.',
      default: false,
      since: '1.36',
      gate: 'VolumeLimitScaling',
    }),
  },
  { description: 'Capabilities and requirements of a storage driver.' },
)
export type CSIDriverSpec = Static<typeof CSIDriverSpec>

export const CSIDriver = Kind(
  'storage.v1.CSIDriver',
  {
    spec: required(2, CSIDriverSpec, 'Desired state.'),
  },
  { description: 'A storage driver of the cluster.' },
)
export type CSIDriver = Static<typeof CSIDriver>
