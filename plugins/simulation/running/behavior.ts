import { isDuration, type Static, type TObject, type TProperties, Type } from 'orch/sdk'
import { parseQuantity } from 'orch/sdk/validation'

const strict = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false })
const duration = (description: string) => Type.Optional(Type.String({ description }))
const texts = (description: string) => Type.Optional(Type.Record(Type.String(), Type.String(), { description }))
const names = (description: string) => Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }))

const commandRule = strict({
  command: Type.Optional(
    Type.Array(Type.String(), {
      minItems: 1,
      description:
        'The command and its arguments. * stands for anything in one of them, and alone at the end for any further ones. Every command if left out.',
    }),
  ),
  stdout: Type.Optional(Type.String({ description: 'Its standard output. Filled in like a log.' })),
  stderr: Type.Optional(Type.String({ description: 'Its standard error. Filled in like a log.' })),
  echo: Type.Optional(Type.Boolean({ description: 'It then copies its input to its output until the input ends.' })),
  after: duration('How long it takes; 0s by default.'),
  exitCode: Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description: 'Exit code; 0 by default.' })),
})
export type CommandRule = Static<typeof commandRule>

const portRule = strict({
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'Every port if left out.' })),
  answer: Type.Union([Type.Literal('http'), Type.Literal('echo'), Type.Literal('refuse')], {
    description: 'http answers requests, echo returns its input, refuse is a closed port.',
  }),
  status: Type.Optional(
    Type.Integer({ minimum: 200, maximum: 599, description: 'The status of http; 200 by default.' }),
  ),
  body: Type.Optional(
    Type.String({ description: 'The body of http responses. Filled in like a log, with {port} as well.' }),
  ),
})
export type PortRule = Static<typeof portRule>

const containerProperties = {
  readyAfter: duration('From the start of a container until it is ready; 0s by default.'),
  ready: Type.Optional(Type.Boolean({ description: 'false: it never becomes ready.' })),
  runFor: duration('From the start of a container until it ends; forever by default, 0s for init containers.'),
  exitCode: Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description: 'Exit code; 0 by default.' })),
  reason: Type.Optional(
    Type.String({ minLength: 1, description: 'Why it ended; Completed or Error by default, OOMKilled for instance.' }),
  ),
  message: Type.Optional(Type.String({ description: 'Termination message of a container that ended.' })),
  restarts: Type.Optional(
    Type.Integer({ minimum: 0, description: 'After so many restarts it keeps running; never by default.' }),
  ),
  waiting: Type.Optional(
    strict({
      reason: Type.String({ minLength: 1, description: 'Why it never starts: ImagePullBackOff for instance.' }),
      message: Type.Optional(Type.String()),
    }),
  ),
  log: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Lines it writes when it starts. {namespace}, {pod}, {container}, {node} and {restart} are filled in.',
    }),
  ),
  exec: Type.Optional(
    Type.Array(commandRule, {
      description:
        'Results of commands that are executed in it; the first match applies. Other commands run in a small shell.',
    }),
  ),
  usage: Type.Optional(
    Type.Record(Type.String(), Type.String({ minLength: 1 }), {
      description: 'Usage that metrics report: cpu and memory. Half of its requests by default.',
    }),
  ),
}

/** How one container behaves. */
export const ContainerBehavior = strict(containerProperties)
export type ContainerBehavior = Static<typeof ContainerBehavior>

const podProperties = {
  ...containerProperties,
  startAfter: duration('From the moment a Pod is on its node until its first container starts; 0s by default.'),
  stopAfter: duration('From the deletion of a Pod until it is gone, within its grace period; 0s by default.'),
  restartBackoff: duration('Wait before the second restart, doubled for each further one up to 5m; 10s by default.'),
  ports: Type.Optional(
    Type.Array(portRule, {
      description: 'Responses of forwarded ports; the first match applies. http by default.',
    }),
  ),
  containers: Type.Optional(
    Type.Record(Type.String(), ContainerBehavior, { description: 'Settings of single containers, by name.' }),
  ),
}

/** How a Pod and its containers behave. */
export const Behavior = strict(podProperties)
export type Behavior = Static<typeof Behavior>

/** The Pods that a rule applies to. All given conditions must hold. */
export const Match = strict({
  namespaces: names('One of these namespaces.'),
  labels: texts('These labels.'),
  annotations: texts('These annotations.'),
  ownerKinds: names('Its controller is of one of these kinds.'),
  images: names('A container has one of these images; * stands for anything.'),
  share: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Only this fraction of them, chosen by their uid: 0.1 is every tenth.',
    }),
  ),
})
export type Match = Static<typeof Match>

export const Rule = strict({ match: Type.Optional(Match), ...podProperties })
export type Rule = Static<typeof Rule>

const durations = ['startAfter', 'readyAfter', 'runFor', 'stopAfter', 'restartBackoff'] as const

/** Checks what the schema cannot express. Throws for the first error, with its path. */
export function checkBehavior(behavior: Behavior, path: string): void {
  for (const key of durations) checkDuration(behavior[key], `${path}.${key}`)
  for (const [i, { after }] of (behavior.exec ?? []).entries()) checkDuration(after, `${path}.exec[${i}].after`)
  for (const [resource, amount] of Object.entries(behavior.usage ?? {}))
    checkAmount(amount, `${path}.usage.${resource}`)
  for (const [name, own] of Object.entries(behavior.containers ?? {})) checkBehavior(own, `${path}.containers.${name}`)
}

function checkDuration(text: string | undefined, path: string): void {
  if (text === undefined || (isDuration(text) && !text.startsWith('-'))) return
  throw new Error(`${path}: ${JSON.stringify(text)} is not a duration such as 30s or 1m30s`)
}

/** An amount of a resource, such as 100m or 64Mi. */
export function checkAmount(amount: string, path: string): void {
  try {
    if (parseQuantity(amount).unscaled < 0n) throw new Error('it must not be negative')
  } catch (error) {
    throw new Error(`${path}: ${JSON.stringify(amount)} is not a quantity: ${(error as Error).message}`)
  }
}
