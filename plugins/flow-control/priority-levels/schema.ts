import { embedded, Int32, Kind, kept, required, type Static, Struct, Text } from 'orch/sdk'
import { statusOf } from '../condition-schema.js'

/** Both versions have the same fields under their own type names. */
export function priorityLevelIn(version: 'v1beta1' | 'v1beta2') {
  const named = (name: string) => `flowcontrol.${version}.${name}`
  const QueuingConfiguration = Struct(
    named('QueuingConfiguration'),
    {
      queues: embedded(1, Int32(), 'How many queues there are. 64 by default; at most 10000000.'),
      handSize: embedded(2, Int32(), 'How many queues a flow may use. 8 by default; not more than there are.'),
      queueLengthLimit: embedded(3, Int32(), 'How many requests may wait in one queue. 50 by default.'),
    },
    { description: 'How requests wait.' },
  )
  const LimitResponse = Struct(
    named('LimitResponse'),
    {
      type: required(1, Text(), 'What becomes of requests beyond the limit: Queue or Reject.'),
      queuing: kept(2, QueuingConfiguration, 'How requests wait, with type Queue.'),
    },
    {
      description: 'What becomes of requests beyond the limit.',
      union: { discriminator: 'type', fields: { queuing: 'Queuing' } },
    },
  )
  const Limited = Struct(
    named('LimitedPriorityLevelConfiguration'),
    {
      assuredConcurrencyShares: embedded(
        1,
        Int32(),
        "The level's share of the places, in relation to the other levels. 30 by default.",
      ),
      limitResponse: embedded(2, LimitResponse, 'What becomes of requests beyond the limit.'),
    },
    { description: 'The limit of a priority level.' },
  )
  const Spec = Struct(
    named('PriorityLevelConfigurationSpec'),
    {
      type: required(1, Text(), 'Limited; or Exempt, for the level of that name alone.'),
      limited: kept(2, Limited, 'The limit, with type Limited.'),
    },
    {
      description: 'How many requests of a level are served at once.',
      union: { discriminator: 'type', fields: { limited: 'Limited' } },
    },
  )
  return Kind(
    named('PriorityLevelConfiguration'),
    {
      spec: embedded(2, Spec, 'Desired state.'),
      status: embedded(3, statusOf('PriorityLevelConfiguration', version), 'Observed state. Written by the server.'),
    },
    { description: 'A priority level: a share of what the server does at the same time.' },
  )
}
export const PriorityLevel = priorityLevelIn('v1beta2')
export type PriorityLevel = Static<typeof PriorityLevel>
export type PriorityLevelSpec = NonNullable<PriorityLevel['spec']>

/** Defaults for numbers that are not set; 0 means not set. */
export function fillPriorityLevel({ spec }: PriorityLevel): void {
  const { limited } = spec ?? {}
  if (!limited) return
  limited.assuredConcurrencyShares ||= 30
  const { queuing } = limited.limitResponse ?? {}
  if (!queuing) return
  queuing.queues ||= 64
  queuing.handSize ||= 8
  queuing.queueLengthLimit ||= 50
}
