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
  stdout: Type.Optional(Type.String({ description: 'What it writes to its output. Filled in like a log.' })),
  stderr: Type.Optional(Type.String({ description: 'What it writes to its standard error. Filled in like a log.' })),
  echo: Type.Optional(Type.Boolean({ description: 'It then copies its input to its output, and ends with it.' })),
  after: duration('How long it takes; 0s by default.'),
  exitCode: Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description: 'What it ends with; 0 by default.' })),
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
  body: Type.Optional(Type.String({ description: 'The answer of http. Filled in like a log, with {port} as well.' })),
})
export type PortRule = Static<typeof portRule>

const containerProperties = {
  readyAfter: duration('From the start of a container until it is ready; 0s by default.'),
  ready: Type.Optional(Type.Boolean({ description: 'false: it never becomes ready.' })),
  runFor: duration('From the start of a container until it ends; for ever by default, 0s for init containers.'),
  exitCode: Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description: 'What it ends with; 0 by default.' })),
  reason: Type.Optional(
    Type.String({ minLength: 1, description: 'Why it ended; Completed or Error by default, OOMKilled for instance.' }),
  ),
  message: Type.Optional(Type.String({ description: 'The last words of a container that ended.' })),
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
        'What commands do that are run in it; the first that matches counts. Others are done by a small shell.',
    }),
  ),
  usage: Type.Optional(
    Type.Record(Type.String(), Type.String({ minLength: 1 }), {
      description: 'What metrics say it uses: cpu and memory. Half of what it requests by default.',
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
      description: 'What ports answer that are forwarded; the first that matches counts. http by default.',
    }),
  ),
  containers: Type.Optional(
    Type.Record(Type.String(), ContainerBehavior, { description: 'What is different in some containers, by name.' }),
  ),
}

/** How a Pod and its containers behave. */
export const Behavior = strict(podProperties)
export type Behavior = Static<typeof Behavior>

/** Which Pods a rule is about. All that is said must hold. */
export const Match = strict({
  namespaces: names('One of these namespaces.'),
  labels: texts('These labels.'),
  annotations: texts('These annotations.'),
  ownerKinds: names('Its controller is of one of these kinds.'),
  images: names('A container has one of these images; * stands for anything.'),
  share: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'Only this share of them, by chance: 0.1 is every tenth.' }),
  ),
})
export type Match = Static<typeof Match>

export const Rule = strict({ match: Type.Optional(Match), ...podProperties })
export type Rule = Static<typeof Rule>

const durations = ['startAfter', 'readyAfter', 'runFor', 'stopAfter', 'restartBackoff'] as const

/** What the schema does not say about a behavior at `path`. Throws for the first mistake. */
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
    throw new Error(`${path}: ${JSON.stringify(amount)} is no amount: ${(error as Error).message}`)
  }
}
