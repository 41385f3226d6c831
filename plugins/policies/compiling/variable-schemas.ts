/** The types of the variables that are the same for all policies, as schemas. */

const text = { type: 'string' }
const flag = { type: 'boolean' }
const whole = { type: 'integer' }
const time = { type: 'string' }
const texts = { type: 'array', items: text }
const textMap = { type: 'object', additionalProperties: text }
const struct = (properties: Readonly<Record<string, unknown>>) => ({ type: 'object', properties })

const kind = struct({ group: text, version: text, kind: text })
const resource = struct({ group: text, version: text, resource: text })

/** `request`: what is asked of the server, by whom. Its objects are variables of their own. */
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

/** `namespaceObject`: what of a namespace is the business of policies. */
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
