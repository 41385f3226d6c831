/** Schemas of the variables that have the same type in all policies. */

const text = { type: 'string' }
const flag = { type: 'boolean' }
const whole = { type: 'integer' }
const time = { type: 'string' }
const texts = { type: 'array', items: text }
const textMap = { type: 'object', additionalProperties: text }
const struct = (properties: Readonly<Record<string, unknown>>) => ({ type: 'object', properties })

const kind = struct({ group: text, version: text, kind: text })
const resource = struct({ group: text, version: text, resource: text })

/** `request`: the operation and the user. The objects of the request are separate variables. */
export const requestSchema = struct({
  kind,
  resource,
  subResource: text,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: struct({
    username: text,
    uid: text,
    groups: texts,
    extra: { type: 'object', additionalProperties: texts },
  }),
  dryRun: flag,
  options: {},
})

/** `namespaceObject`: the fields of a Namespace that policies can see. */
export const namespaceSchema = struct({
  metadata: struct({
    name: text,
    generateName: text,
    namespace: text,
    uid: text,
    resourceVersion: text,
    generation: whole,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: whole,
    labels: textMap,
    annotations: textMap,
    finalizers: texts,
  }),
  spec: struct({ finalizers: texts }),
  status: struct({ phase: text }),
})
