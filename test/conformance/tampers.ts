import type { PassingAnswer, PassingRequest, Tamper } from './tampering-proxy.js'

const isDelete = ({ method }: PassingRequest) => method === 'DELETE'
const isWrite = ({ method }: PassingRequest) => method === 'PUT' || method === 'PATCH'
const isAbout = ({ url }: PassingRequest, part: string) => url.pathname.endsWith(part)

/** Leaves out parameters of requests. */
const without = (names: readonly string[], which: (request: PassingRequest) => boolean = () => true): Tamper => ({
  request(request) {
    if (which(request)) for (const name of names) request.url.searchParams.delete(name)
  },
})
/** Replaces a status. */
const says = (status: number, instead: number, body?: string): Tamper => ({
  answer(answer) {
    if (answer.status !== status) return
    answer.status = instead
    if (body !== undefined) answer.body = Buffer.from(body)
  },
})
/** Changes the answers to one method. */
const changed = (method: string, change: (answer: PassingAnswer) => void): Tamper => ({
  answer(answer, request) {
    if (request.method === method && answer.status < 300) change(answer)
  },
})
const newer = (answer: PassingAnswer) =>
  answer.changeJson(({ metadata }) => {
    metadata.resourceVersion = String(Number(metadata.resourceVersion) + 1)
  })
/** As if the server had accepted the status in the request. */
const takesStatus = (method: string): Tamper => ({
  answer(answer, request) {
    if (request.method !== method || answer.status >= 300) return
    const { status } = JSON.parse(request.body.toString()) as { status?: unknown }
    answer.changeJson(object => Object.assign(object, { status }))
  },
})
const repainted = (answer: PassingAnswer) => {
  answer.body = Buffer.from(answer.body.toString().replaceAll('blue', 'teal'))
}
/** Always responds with JSON. */
const answersJson: Tamper = {
  request({ headers }) {
    headers['accept'] = 'application/json'
  },
}
let managers = 0

/** For each case of the battery, by its title, a server that must not pass it. */
export const tampers: Readonly<Record<string, Tamper>> = {
  'create sets uid, version and time, and ignores those of the client': changed('POST', answer =>
    answer.changeJson(({ metadata }) => {
      metadata.uid = 'mine'
    }),
  ),
  'a name is taken until its object is gone': says(409, 201, '{"metadata":{"uid":"x"}}'),
  'an object without a name is invalid': {
    answer: answer => {
      if (answer.status === 422) answer.changeJson(({ details }) => delete details.causes)
    },
  },
  'an invalid object is rejected: a gadget of no color': {
    request(request) {
      request.body = Buffer.from(request.body.toString().replace('"none"', '"some"'))
    },
  },
  'no update, patch or apply makes an object invalid: a gadget of no color': {
    request(request) {
      if (request.method !== 'POST') request.body = Buffer.from(request.body.toString().replace('"none"', '"some"'))
    },
  },
  'an object of another kind is a 400': says(400, 201),
  'an update with an outdated version is a conflict': {
    request(request) {
      if (request.method === 'PUT') request.changeJson(({ metadata }) => delete metadata.resourceVersion)
    },
  },
  'an update that changes nothing keeps the version': changed('PUT', newer),
  'identity is immutable': {
    request(request) {
      if (request.method === 'PUT') request.changeJson(({ metadata }) => delete metadata.uid)
    },
  },
  'merge patch and JSON patch change labels': {
    request(request) {
      if (request.method === 'PATCH') request.method = 'GET'
    },
  },
  'generateName generates an unused name': changed('POST', answer =>
    answer.changeJson(({ metadata }) => {
      metadata.name = 'made-'
    }),
  ),
  'a dry run of create creates nothing and returns what the real request would': without(['dryRun']),
  'dry runs of update, patch and apply change nothing and show what they would change': without(['dryRun'], isWrite),
  'a dry run of delete deletes nothing': {
    request(request) {
      if (!isDelete(request)) return
      request.url.searchParams.delete('dryRun')
      request.body = Buffer.alloc(0)
    },
  },
  'apply creates, owns, conflicts and yields to force': {
    request({ url, headers }) {
      if (headers['content-type']?.includes('apply')) url.searchParams.set('force', 'true')
    },
  },
  'fields that a manager no longer applies are removed, those of others stay': {
    request({ url }) {
      if (url.searchParams.has('fieldManager')) url.searchParams.set('fieldManager', `manager-${++managers}`)
    },
  },
  'applying an object as it was read changes no field': changed('PATCH', repainted),
  'status can be read and written back unchanged': changed('PUT', newer),
  'a client cannot set the status of a new object': takesStatus('POST'),
  'an update of the object leaves its status to the subresource': takesStatus('PUT'),
  'generation starts at 1 and increases with the desired state, not with metadata or status': changed('PUT', answer =>
    answer.changeJson(({ metadata }) => {
      metadata.generation = 1
    }),
  ),
  'get returns what create returned': changed('GET', newer),
  'get of a missing object is a 404': says(404, 200, '{"metadata":{"name":"no-such-object"}}'),
  'a version from the future times out with Retry-After': {
    request: ({ url }) => (url.searchParams.has('resourceVersion') ? { status: 200 } : undefined),
  },
  'an unsupported media type is a 406': {
    request({ headers }) {
      headers['accept'] = '*/*'
    },
  },
  'an unsupported method is a 405': {
    request: ({ method }) => (method === 'OPTIONS' ? { status: 204, body: Buffer.alloc(0) } : undefined),
  },
  'a malformed body is a 400 and changes nothing': says(400, 500),
  'an unknown media type of the body is a 415': says(415, 201),
  'strict field validation rejects an unknown field, the default drops it': without(['fieldValidation']),
  'all pages have the version of the first, and together they are complete': without(['limit']),
  'label and field selectors select': without(['labelSelector', 'fieldSelector']),
  'a list at an exact version shows that version': without(['resourceVersion', 'resourceVersionMatch']),
  'invalid combinations of versions and pages are rejected': without(['resourceVersionMatch', 'continue']),
  'a watch reports every change once, in order, and resumes at any version': { event: event => [event, event] },
  'a watch without a version starts with the existing objects': { event: event => [{ ...event, type: 'MODIFIED' }] },
  'an object that enters or leaves a selection is added or deleted': {
    event: event => [{ ...event, type: event.type === 'DELETED' ? 'MODIFIED' : event.type }],
  },
  'a finalizer holds a deleted object until it is removed': {
    request(request) {
      if (request.method === 'POST') request.changeJson(({ metadata }) => delete metadata.finalizers)
    },
  },
  'preconditions protect another object of the same name': {
    request(request) {
      if (isDelete(request)) request.body = Buffer.alloc(0)
    },
  },
  'deleting a missing object is a 404': says(404, 200),
  'deletecollection deletes only the selected objects': without(['labelSelector'], isDelete),
  'a Table has a row for every object and a cell for every column': changed('GET', answer =>
    answer.changeJson(({ rows }) => {
      for (const { cells } of rows ?? []) cells.pop()
    }),
  ),
  'metadata alone is served on request': answersJson,
  'YAML is served on request': answersJson,
  'an object round-trips in every media type that OpenAPI lists': {
    answer(answer, { headers }) {
      if (headers['accept'] === 'application/yaml') repainted(answer)
    },
  },
  'an object round-trips in every version': {
    answer(answer, request) {
      if (request.method === 'GET' && request.url.pathname.includes('/v1beta1/')) repainted(answer)
    },
  },
  'discovery and OpenAPI name the type': {
    answer(answer, request) {
      if (isAbout(request, '/acme.test/v1')) answer.changeJson(list => list.resources.splice(0))
    },
  },
  'OpenAPI describes every field of an object': {
    answer(answer, request) {
      if (isAbout(request, '/openapi/v2'))
        answer.body = Buffer.from(answer.body.toString().replaceAll('"color"', '"colour"'))
    },
  },
}
