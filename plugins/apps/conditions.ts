import { embedded, field, required, Struct, Text, Time } from 'orch/sdk'

/** The struct for what was observed about a kind of this group: every kind has one of its own, with the same fields. */
export const conditionStruct = (kind: string, about: string) =>
  Struct(
    `apps.v1.${kind}Condition`,
    {
      type: required(1, Text(), 'What was observed, in one word.'),
      status: required(2, Text(), 'True, False or Unknown.'),
      lastTransitionTime: embedded(3, Time(), 'When the status last changed.'),
      reason: field(4, Text(), 'Why, in one word for programs.'),
      message: field(5, Text(), 'Why, in a sentence for people.'),
    },
    { description: `Something observed about ${about}.` },
  )
