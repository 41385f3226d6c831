import { field, Int32, kept, ListOf, required, type Static, Struct, Text } from 'orch/sdk'

/** Exit codes of containers that a rule matches. */
export const PodFailurePolicyOnExitCodesRequirement = Struct(
  'batch.v1.PodFailurePolicyOnExitCodesRequirement',
  {
    containerName: field(1, Text(), {
      description: 'Name of the container. All of them by default.',
      presence: 'always',
      nullable: true,
      isRequired: false,
      revised: [{ since: '1.28', additive: true, to: { presence: 'keep', nullable: false } }],
    }),
    operator: required(2, Text(), 'In or NotIn.'),
    values: required(3, ListOf(Int32(), { listType: 'set' }), 'The exit codes, in order, at most 255. Not 0 with In.'),
  },
  { description: 'Exit codes of containers, or all but them.' },
)

/** A condition of Pods that a rule matches. */
export const PodFailurePolicyOnPodConditionsPattern = Struct(
  'batch.v1.PodFailurePolicyOnPodConditionsPattern',
  {
    type: required(1, Text(), 'Type of the condition.'),
    status: field(2, Text(), {
      description: 'Status of the condition. True by default.',
      presence: 'always',
      revised: [
        { since: '1.25', to: { isRequired: true } },
        { since: '1.34', to: { default: 'True' } },
        { since: '1.35', to: { isRequired: false } },
      ],
    }),
  },
  { description: 'A condition of a Pod.' },
)

/** The action for a kind of failure of a Pod. */
export const PodFailurePolicyRule = Struct(
  'batch.v1.PodFailurePolicyRule',
  {
    action: required(
      1,
      Text(),
      'The action: FailJob, FailIndex, Ignore (the failure does not count), or Count (as without a rule).',
    ),
    onExitCodes: kept(2, PodFailurePolicyOnExitCodesRequirement, 'The exit codes that the rule is for.'),
    onPodConditions: field(3, ListOf(PodFailurePolicyOnPodConditionsPattern, { listType: 'atomic' }), {
      description: 'The conditions that the rule is for; one of them is enough.',
      presence: 'always',
      nullable: true,
      isRequired: false,
      revised: [{ since: '1.28', additive: true, to: { presence: 'drop', nullable: false } }],
    }),
  },
  { description: 'The action for a kind of failure of a Pod. Exactly one of both requirements is given.' },
)
export type PodFailurePolicyRule = Static<typeof PodFailurePolicyRule>

/** Rules for Pods that have failed. */
export const PodFailurePolicy = Struct(
  'batch.v1.PodFailurePolicy',
  {
    rules: required(
      1,
      ListOf(PodFailurePolicyRule, { listType: 'atomic' }),
      'The rules, at most 20. The first that matches counts.',
    ),
  },
  { description: 'Actions for failed Pods.' },
)
export type PodFailurePolicy = Static<typeof PodFailurePolicy>

/** Which Pods must succeed. */
export const SuccessPolicyRule = Struct(
  'batch.v1.SuccessPolicyRule',
  {
    succeededIndexes: kept(1, Text(), 'Indexes of Pods that must succeed, such as 1,3-5,7.'),
    succeededCount: kept(2, Int32(), 'How many of these (or of all) must succeed.'),
  },
  { description: 'Which Pods must succeed. At least one is given.' },
)
export type SuccessPolicyRule = Static<typeof SuccessPolicyRule>

/** When a job succeeds before all its Pods have. */
export const SuccessPolicy = Struct(
  'batch.v1.SuccessPolicy',
  {
    rules: required(1, ListOf(SuccessPolicyRule, { listType: 'atomic' }), 'The rules, at most 20. One is enough.'),
  },
  { description: 'When a job succeeds before all its Pods have.' },
)
export type SuccessPolicy = Static<typeof SuccessPolicy>
