import { AtomicList, embedded, field, Kind, kept, MicroTime, type ObjectOf, required, Struct, Text } from 'orch/sdk'

const times = {
  pingTime: kept(
    2,
    MicroTime(),
    'When the server last requested the candidate to renew, which it does before an election.',
  ),
  renewTime: kept(3, MicroTime(), 'When the candidate last renewed.'),
}
const leaseName = required(1, Text(), 'The lease that the candidate competes for. Immutable.')
const emulationVersion = field(5, Text(), 'The version that the candidate emulates.')

/** The later versions have the same fields, but their own type names. */
export const leaseCandidateIn = (version: 'v1beta1' | 'v1alpha2') =>
  Kind(
    `coordination.${version}.LeaseCandidate`,
    {
      spec: required(
        2,
        Struct(
          `coordination.${version}.LeaseCandidateSpec`,
          {
            leaseName,
            ...times,
            binaryVersion: required(4, Text(), 'The binary version of the candidate.'),
            emulationVersion,
            strategy: required(6, Text(), 'How the holder is to be elected, such as OldestEmulationVersion.'),
            preferredStrategies: field(7, AtomicList(Text()), {
              description: 'The list of v1alpha1, if it has more than one strategy. Kept for clients of that version.',
              until: '1.31',
            }),
          },
          { description: 'The lease, and the versions of the candidate.' },
        ),
        'The lease, and the versions of the candidate.',
      ),
    },
    { description: 'A candidate for a lease, among which the server elects the holder.' },
  )
export const LeaseCandidate = leaseCandidateIn('v1beta1')
export type LeaseCandidate = ObjectOf<typeof LeaseCandidate>

/** The first version has a list of strategies, of which the first one is used. */
export const FirstLeaseCandidate = Kind(
  'coordination.v1alpha1.LeaseCandidate',
  {
    spec: embedded(
      2,
      Struct(
        'coordination.v1alpha1.LeaseCandidateSpec',
        {
          leaseName,
          ...times,
          binaryVersion: field(4, Text(), 'The binary version of the candidate.'),
          emulationVersion,
          preferredStrategies: required(
            6,
            AtomicList(Text()),
            'How the holder is to be elected, in order of preference.',
          ),
        },
        { description: 'The lease, and the versions of the candidate.' },
      ),
      'The lease, and the versions of the candidate.',
    ),
  },
  { description: 'A candidate for a lease, among which the server elects the holder.' },
)
export type FirstLeaseCandidate = ObjectOf<typeof FirstLeaseCandidate>

export const convertFirst = {
  toStorage({ spec, ...rest }: FirstLeaseCandidate): LeaseCandidate {
    const { preferredStrategies, binaryVersion = '', ...others } = spec ?? { leaseName: '', preferredStrategies: null }
    const [strategy = '', ...more] = preferredStrategies ?? []
    const isSaidByOne = !preferredStrategies || (strategy !== '' && more.length === 0)
    return { ...rest, spec: { ...others, binaryVersion, strategy, ...(isSaidByOne ? {} : { preferredStrategies }) } }
  },
  fromStorage({ spec: { strategy, preferredStrategies, ...others }, ...rest }: LeaseCandidate): FirstLeaseCandidate {
    const list = preferredStrategies ?? (strategy === '' ? null : [strategy])
    return { ...rest, spec: { ...others, preferredStrategies: list as string[] } }
  },
}
