import { embedded, field, required, Struct, Text, Time } from 'orch/sdk'

/** The conditions of a kind of this group: each kind has a struct of its own with the same fields. */
export const conditionStruct = (kind: string, about: string) =>
  Struct(
    `apps.v1.${kind}Condition`,
    {
      type: required(1, Text(), 'Type of the condition.'),
      status: required(2, Text(), 'True, False or Unknown.'),
      lastTransitionTime: embedded(3, Time(), 'When the status last changed.'),
      reason: field(4, Text(), 'Machine-readable reason in one word.'),
      message: field(5, Text(), 'Human-readable message.'),
    },
    { description: `Something observed about ${about}.` },
  )
