import { field, KeyedList, MapList, type Static, Struct, Text, Time } from 'orch/sdk'

/** The condition of a kind; in this group each kind has its own type. */
export const conditionSchema = (typeName: string) =>
  Struct(
    typeName,
    {
      type: field(1, Text(), 'Type of the condition.'),
      status: field(2, Text(), 'True, False or Unknown.'),
      lastTransitionTime: field(3, Time(), {
        description: 'When the status changed.',
        presence: 'always',
        nullable: true,
      }),
      reason: field(4, Text(), 'Machine-readable reason in one word.'),
      message: field(5, Text(), 'Human-readable message.'),
    },
    { description: 'An observed condition.' },
  )
export type Condition = Static<ReturnType<typeof conditionSchema>>

/** In the first versions a strategic merge patch replaced all conditions. */
const firstVersions = ['v1beta1', 'v1beta2']

export const statusOf = (kind: string, version: string) => {
  const Condition = conditionSchema(`flowcontrol.${version}.${kind}Condition`)
  const list = firstVersions.includes(version) ? MapList(Condition, 'type') : KeyedList(Condition, 'type')
  return Struct(
    `flowcontrol.${version}.${kind}Status`,
    { conditions: field(1, list, 'Observed conditions.') },
    { description: 'Observed state. Written by the server.' },
  )
}
