import {
  embedded,
  Int32,
  Kind,
  kept,
  type ObjectMeta,
  required,
  type Static,
  Struct,
  Text,
  type TOptional,
} from 'orch/sdk'
import { statusOf } from '../condition-schema.js'

/** Fields that Kubernetes never had in a version, although conversion to it would keep them. */
const outsideKubernetes = { until: '1.22' } as const

/** The name of the shares in each version; otherwise all have the same fields under their own type names. */
const sharesIn = {
  v1: 'nominalConcurrencyShares',
  v1beta3: 'nominalConcurrencyShares',
  v1beta2: 'assuredConcurrencyShares',
  v1beta1: 'assuredConcurrencyShares',
} as const
export type FlowControlVersion = keyof typeof sharesIn

export function priorityLevelIn<V extends FlowControlVersion>(version: V) {
  const named = (name: string) => `flowcontrol.${version}.${name}`
  const QueuingConfiguration = Struct(
    named('QueuingConfiguration'),
    {
      queues: embedded(1, Int32(), 'How many queues there are. 64 by default; at most 10000000.'),
      handSize: embedded(2, Int32(), 'How many queues a flow may use. 8 by default; not more than there are.'),
      queueLengthLimit: embedded(3, Int32(), 'How many requests may wait in one queue. 50 by default.'),
    },
    { description: 'Configuration of queues.' },
  )
  const LimitResponse = Struct(
    named('LimitResponse'),
    {
      type: required(1, Text(), 'How requests above the limit are handled: Queue or Reject.'),
      queuing: kept(2, QueuingConfiguration, 'Configuration of queues, with type Queue.'),
    },
    {
      description: 'How requests above the limit are handled.',
      union: { discriminator: 'type', fields: { queuing: 'Queuing' } },
    },
  )
  const borrowedSince = version === 'v1beta1' ? outsideKubernetes : ({ since: '1.26' } as const)
  const exemptSince = version === 'v1beta1' ? outsideKubernetes : ({ since: '1.28' } as const)
  const shares = Int32()
  const about = "The level's share of the seats, in relation to the other levels. 30 by default."
  const Limited = Struct(
    named('LimitedPriorityLevelConfiguration'),
    {
      ...({
        // In v1 a level may have no share at all; before, 0 means not set.
        [sharesIn[version]]: version === 'v1' ? kept(1, shares, about) : embedded(1, shares, about),
      } as { [N in (typeof sharesIn)[V]]: TOptional<typeof shares> }),
      limitResponse: embedded(2, LimitResponse, 'How requests above the limit are handled.'),
      lendablePercent: kept(3, Int32(), {
        description: 'The part of its seats, in percent, that other levels may borrow. 0 by default.',
        ...borrowedSince,
      }),
      borrowingLimitPercent: kept(4, Int32(), {
        description: 'How many seats the level may borrow, in percent of its own. Any number by default.',
        ...borrowedSince,
      }),
    },
    { description: 'The limit of a priority level.' },
  )
  const Exempt = Struct(
    named('ExemptPriorityLevelConfiguration'),
    {
      nominalConcurrencyShares: kept(1, Int32(), 'Seats that are reserved for the level, as a share. 0 by default.'),
      lendablePercent: kept(
        2,
        Int32(),
        'The part of these seats, in percent, that other levels may borrow. 0 by default.',
      ),
    },
    { description: 'What a level without a limit reserves and lends.' },
  )
  const Spec = Struct(
    named('PriorityLevelConfigurationSpec'),
    {
      type: required(1, Text(), 'Limited; or Exempt, for the level of that name alone.'),
      limited: kept(2, Limited, 'The limit, with type Limited.'),
      exempt: kept(3, Exempt, { description: 'What the level reserves and lends, with type Exempt.', ...exemptSince }),
    },
    {
      description: 'How many requests of a level are served at once.',
      union: { discriminator: 'type', fields: { exempt: 'Exempt', limited: 'Limited' } },
    },
  )
  return Kind(
    named('PriorityLevelConfiguration'),
    {
      spec: embedded(2, Spec, 'Desired state.'),
      status: embedded(3, statusOf('PriorityLevelConfiguration', version), 'Observed state. Written by the server.'),
    },
    { description: 'A priority level: a share of the concurrency of the server.' },
  )
}
export const PriorityLevel = priorityLevelIn('v1')
export type PriorityLevel = Static<typeof PriorityLevel>
export type PriorityLevelSpec = NonNullable<PriorityLevel['spec']>
type OlderLevel = Static<ReturnType<typeof priorityLevelIn<'v1beta2'>>>

/** Which defaults a version of the API has. */
export interface LevelDefaults {
  readonly borrows: boolean
  readonly exemptShares: boolean
  /** In v1beta3, an object with this annotation has 0 shares if they are not set. */
  readonly zeroSharesAnnotation: string | undefined
}

/** Defaults for what is not set. In older versions 0 shares mean not set. */
export const fillPriorityLevel =
  (defaults: LevelDefaults, version: FlowControlVersion) =>
  ({ metadata, spec }: PriorityLevel & OlderLevel): void => {
    const { limited, exempt } = spec ?? {}
    if (exempt && defaults.exemptShares) {
      exempt.nominalConcurrencyShares ??= 0
      exempt.lendablePercent ??= 0
    }
    if (!limited) return
    if (version === 'v1') limited.nominalConcurrencyShares ??= defaultShares
    else {
      const isZeroMeant = version === 'v1beta3' && hasAnnotation(metadata, defaults.zeroSharesAnnotation)
      limited[sharesIn[version]] ||= isZeroMeant ? 0 : defaultShares
    }
    if (defaults.borrows) limited.lendablePercent ??= 0
    const { queuing } = limited.limitResponse ?? {}
    if (!queuing) return
    queuing.queues ||= 64
    queuing.handSize ||= 8
    queuing.queueLengthLimit ||= 50
  }
const defaultShares = 30
const hasAnnotation = (metadata: ObjectMeta | undefined, name: string | undefined) =>
  name !== undefined && Object.hasOwn(metadata?.annotations ?? {}, name)

/** The field has another name in older versions. */
export const convertShares = {
  toStorage: (level: OlderLevel): PriorityLevel =>
    renamed(level, 'assuredConcurrencyShares', 'nominalConcurrencyShares') as PriorityLevel,
  fromStorage: (level: PriorityLevel): OlderLevel =>
    renamed(level, 'nominalConcurrencyShares', 'assuredConcurrencyShares') as OlderLevel,
}

type AnyLevel = { readonly spec?: { readonly limited?: Readonly<Record<string, unknown>> } }
function renamed(level: AnyLevel, from: string, to: string): AnyLevel {
  const { limited } = level.spec ?? {}
  if (!limited) return level
  const { [from]: shares = 0, ...others } = limited
  return { ...level, spec: { ...level.spec, limited: { [to]: shares, ...others } } }
}
