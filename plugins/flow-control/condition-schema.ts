import { field, KeyedList, MapList, type Static, Struct, Text, Time } from 'orch/sdk'

/** The condition of a kind; in this group they have names of their own. */
export const conditionSchema = (typeName: string) =>
  Struct(
    typeName,
    {
      type: field(1, Text(), 'What the condition is about.'),
      status: field(2, Text(), 'True, False or Unknown.'),
      lastTransitionTime: field(3, Time(), {
        description: 'When the status changed.',
        presence: 'always',
        nullable: true,
      }),
      reason: field(4, Text(), 'Machine-readable reason in one word.'),
      message: field(5, Text(), 'Why, for people.'),
    },
    { description: 'Something that was observed.' },
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
