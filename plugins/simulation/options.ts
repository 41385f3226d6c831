import { type Static, Type } from 'orch/sdk'
import { isDns1123Subdomain } from 'orch/sdk/validation'
import { checkAmount, checkBehavior, Rule } from './running/behavior.js'

/** Well within the address range, and more than one machine can simulate. */
const maxNodes = 50_000

const Capacity = Type.Record(Type.String(), Type.String({ minLength: 1 }))

const TaintOption = Type.Object(
  {
    key: Type.String({ minLength: 1 }),
    value: Type.Optional(Type.String()),
    effect: Type.Union([Type.Literal('NoSchedule'), Type.Literal('PreferNoSchedule'), Type.Literal('NoExecute')]),
  },
  { additionalProperties: false },
)

/** Nodes of one kind. */
export const NodeGroup = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Begins the names of its nodes: <name>-1, <name>-2, …' }),
    count: Type.Integer({ minimum: 0, maximum: maxNodes }),
    capacity: Type.Optional(Capacity),
    labels: Type.Optional(Type.Record(Type.String(), Type.String())),
    taints: Type.Optional(Type.Array(TaintOption)),
    zones: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { description: 'Its nodes are spread over them round-robin.' }),
    ),
  },
  { additionalProperties: false },
)
export type NodeGroup = Static<typeof NodeGroup>

export const SimulationOptions = Type.Object({
  simulateNodes: Type.Integer({
    minimum: 0,
    maximum: maxNodes,
    default: 0,
    description: 'Number of nodes to simulate, named node-1, node-2, … With 0 and no groups nothing is simulated.',
  }),
  simulatedNodeGroups: Type.Array(NodeGroup, {
    default: [],
    description: 'Further nodes to simulate, by kind; in the config only.',
  }),
  simulatedNodeCapacity: Type.Record(Type.String(), Type.String({ minLength: 1 }), {
    default: { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' },
    description: 'Capacity of simulated nodes without a group: cpu=4,memory=16Gi,pods=110.',
  }),
  simulatedHeartbeatInterval: Type.String({
    format: 'duration',
    default: '10s',
    description:
      'How often a simulated node renews its lease; less often if that were more than ten renewals a second in all.',
  }),
  simulationRules: Type.Array(Rule, {
    default: [],
    description: 'How Pods behave on simulated nodes: the first matching rule applies. In the config only.',
  }),
})
export type SimulationOptions = Static<typeof SimulationOptions>

/** Checks what the schema cannot express. Throws for the first error. */
export function checkOptions(options: SimulationOptions): void {
  const groups = options.simulatedNodeGroups
  checkCapacity(options.simulatedNodeCapacity, 'simulatedNodeCapacity')
  for (const [i, rule] of options.simulationRules.entries()) checkBehavior(rule, `simulationRules[${i}]`)
  for (const [i, { name, capacity = {} }] of groups.entries()) {
    const [wrong] = isDns1123Subdomain(`${name}-1`)
    if (wrong)
      throw new Error(
        `simulatedNodeGroups[${i}].name: ${JSON.stringify(name)} is not a valid prefix of node names: ${wrong}`,
      )
    if (groups.findIndex(other => other.name === name) < i || (name === 'node' && options.simulateNodes > 0))
      throw new Error(`simulatedNodeGroups[${i}].name: other nodes are already named ${name}-1, ${name}-2, …`)
    checkCapacity(capacity, `simulatedNodeGroups[${i}].capacity`)
  }
}

function checkCapacity(capacity: Readonly<Record<string, string>>, path: string): void {
  for (const [resource, amount] of Object.entries(capacity)) checkAmount(amount, `${path}.${resource}`)
}
