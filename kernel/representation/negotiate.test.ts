import { orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Negotiator } from './negotiate.js'

const vendor = new Vendor({
  ...orchProfile,
  name: 'acme',
  groupDomain: 'acme.test',
  protobufMediaType: 'application/vnd.acme.protobuf',
})
const negotiator = new Negotiator(vendor)
const chosen = (accept: string | undefined) => {
  const found = negotiator.tryNegotiate(accept)
  return found && `${found.format} ${found.as}`
}

const negotiation = suite('negotiation')

const cases: Record<string, [accept: string | undefined, chosen: string | undefined]> = {
  'no header means JSON': [undefined, 'json object'],
  'an empty header means JSON': ['', 'json object'],
  'anything means JSON': ['*/*', 'json object'],
  YAML: ['application/yaml', 'yaml object'],
  'Protobuf by the media type of the vendor': ['application/vnd.acme.protobuf', 'protobuf object'],
  'a Table of the meta group': ['application/json;as=Table;g=meta.acme.test;v=v1', 'json Table'],
  'the first acceptable of several': ['application/xml, application/yaml, application/json', 'yaml object'],
  'the best by quality': ['application/yaml;q=0.1, application/json;q=0.9', 'json object'],
  'a view that is not served falls back to what follows': [
    'application/json;as=Table;g=meta.acme.test;v=v9,application/json',
    'json object',
  ],
  'a view of another group is not served': ['application/json;as=Table;g=other.test;v=v1', undefined],
  'a group without a view is not served': ['application/json;g=meta.acme.test;v=v1', undefined],
  'a stream of events is served': ['application/json;stream=watch', 'json object'],
  'another stream is not served': ['application/json;stream=tea', undefined],
  'YAML does not stream': ['application/yaml;stream=watch', undefined],
  'quality 0 comes last': ['application/yaml;q=0, application/json', 'json object'],
  'quality 0 is still served': ['application/json;q=0', 'json object'],
  'an unknown type is not served': ['application/x-unserved', undefined],
  'a partial wildcard is not served': ['application/*', undefined],
}
for (const [title, [accept, expected]] of Object.entries(cases)) {
  negotiation(title, () => assert.is(chosen(accept), expected))
}
negotiation('a Protobuf request keeps its fallback', () => {
  assert.is(negotiator.negotiate('application/vnd.acme.protobuf, application/json').fallback?.format, 'json')
})
negotiation('a response without views uses the next format that the client accepts', () => {
  const table = 'application/json;as=Table;g=meta.acme.test;v=v1'
  assert.is(negotiator.negotiatePlain(`${table},application/yaml`).format, 'yaml')
  assert.is(negotiator.negotiatePlain('application/yaml').format, 'yaml')
  assert.throws(
    () => negotiator.negotiatePlain(table),
    (error: { code?: number }) => error.code === 406,
  )
})
negotiation('a response with metadata, but no columns, can be reduced to its metadata', () => {
  const view = (as: string) => `application/json;as=${as};g=meta.acme.test;v=v1`
  assert.is(negotiator.negotiatePlain(view('PartialObjectMetadata'), true).as, 'PartialObjectMetadata')
  const isRefused = (error: { code?: number }) => error.code === 406
  assert.throws(() => negotiator.negotiatePlain(view('PartialObjectMetadata')), isRefused)
  assert.throws(() => negotiator.negotiatePlain(view('Table'), true), isRefused)
})
negotiation('the error is a 406', () => {
  assert.throws(
    () => negotiator.negotiate('application/x-unserved'),
    (error: { code?: number }) => error.code === 406,
  )
})

negotiation.run()
