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
/** Says another status than the server did. */
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
/** As if the server had taken over the status that was sent. */
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
/** JSON, whatever was asked for. */
const answersJson: Tamper = {
  request({ headers }) {
    headers['accept'] = 'application/json'
  },
}
let managers = 0

/** For each case of the battery, by its title, a server that must not pass it. */
export const tampers: Readonly<Record<string, Tamper>> = {
  'create fills uid, version and time, and ignores those of the client': changed('POST', answer =>
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
  'an object is refused: a gadget of no color': {
    request(request) {
      request.body = Buffer.from(request.body.toString().replace('"none"', '"some"'))
    },
  },
  'no update, patch or apply makes an object invalid: a gadget of no color': {
    request(request) {
      if (request.method !== 'POST') request.body = Buffer.from(request.body.toString().replace('"none"', '"some"'))
    },
  },
  'an object of another kind is a bad request': says(400, 201),
  'an update needs the version it was made from': {
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
  'generateName makes a free name': changed('POST', answer =>
    answer.changeJson(({ metadata }) => {
      metadata.name = 'made-'
    }),
  ),
  'a dry run of create makes nothing and answers like the real thing': without(['dryRun']),
  'dry runs of update, patch and apply change nothing and show what they would change': without(['dryRun'], isWrite),
  'a dry run of a deletion deletes nothing': {
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
  'what a manager no longer applies goes, what others applied stays': {
    request({ url }) {
      if (url.searchParams.has('fieldManager')) url.searchParams.set('fieldManager', `manager-${++managers}`)
    },
  },
  'applying what one reads changes no field of the object': changed('PATCH', repainted),
  'status shows and takes the object as it is': changed('PUT', newer),
  'a client cannot set the status of a new object': takesStatus('POST'),
  'an update of the object leaves its status to the subresource': takesStatus('PUT'),
  'generation begins at 1 and rises with what is wanted, not with metadata or status': changed('PUT', answer =>
    answer.changeJson(({ metadata }) => {
      metadata.generation = 1
    }),
  ),
  'get answers what create answered': changed('GET', newer),
  'an object that is not there is not found': says(404, 200, '{"metadata":{"name":"no-such-object"}}'),
  'a version from the future times out with Retry-After': {
    request: ({ url }) => (url.searchParams.has('resourceVersion') ? { status: 200 } : undefined),
  },
  'a media type nobody serves is not acceptable': {
    request({ headers }) {
      headers['accept'] = '*/*'
    },
  },
  'a method nobody serves is not allowed': {
    request: ({ method }) => (method === 'OPTIONS' ? { status: 204, body: Buffer.alloc(0) } : undefined),
  },
  'a body that does not parse is a bad request and changes nothing': says(400, 500),
  'an unknown media type of the body is refused': says(415, 201),
  'strict field validation refuses an unknown field, the default drops it': without(['fieldValidation']),
  'pages keep the version of the first and miss nothing': without(['limit']),
  'label and field selectors select': without(['labelSelector', 'fieldSelector']),
  'an exact list shows the past': without(['resourceVersion', 'resourceVersionMatch']),
  'combinations of versions and pages that make no sense are refused': without(['resourceVersionMatch', 'continue']),
  'a watch tells every change once, in order, and resumes anywhere': { event: event => [event, event] },
  'a watch without a version begins with what is there': { event: event => [{ ...event, type: 'MODIFIED' }] },
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
  'what is not there cannot be deleted': says(404, 200),
  'a collection is deleted by selector only as far as it selects': without(['labelSelector'], isDelete),
  'a Table has a row for every object and a cell for every column': changed('GET', answer =>
    answer.changeJson(({ rows }) => {
      for (const { cells } of rows ?? []) cells.pop()
    }),
  ),
  'metadata alone is served on request': answersJson,
  'YAML is served on request': answersJson,
  'an object survives being read and written in every media type that OpenAPI names': {
    answer(answer, { headers }) {
      if (headers['accept'] === 'application/yaml') repainted(answer)
    },
  },
  'an object survives being read and written in every version': {
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
