import { isDuration, type Static, type TObject, type TProperties, Type } from 'orch/sdk'

const strict = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false })
const duration = (description: string) => Type.Optional(Type.String({ description }))
const texts = (description: string) => Type.Optional(Type.Record(Type.String(), Type.String(), { description }))
const names = (description: string) => Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }))

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
}

/** How one container behaves. */
export const ContainerBehavior = strict(containerProperties)
export type ContainerBehavior = Static<typeof ContainerBehavior>

const podProperties = {
  ...containerProperties,
  startAfter: duration('From the moment a Pod is on its node until its first container starts; 0s by default.'),
  stopAfter: duration('From the deletion of a Pod until it is gone, within its grace period; 0s by default.'),
  restartBackoff: duration('Wait before the second restart, doubled for each further one up to 5m; 10s by default.'),
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
  for (const key of durations) {
    const text = behavior[key]
    if (text === undefined || (isDuration(text) && !text.startsWith('-'))) continue
    throw new Error(`${path}.${key}: ${JSON.stringify(text)} is not a duration such as 30s or 1m30s`)
  }
  for (const [name, own] of Object.entries(behavior.containers ?? {})) checkBehavior(own, `${path}.containers.${name}`)
}
