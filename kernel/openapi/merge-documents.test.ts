import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeDocuments } from './merge-documents.js'

const merging = suite('merging OpenAPI documents')

const schemaOf = (type: string) => ({ type })
const pathsOf = (name: string) => ({ [`/${name}`]: { get: { schema: { $ref: `#/definitions/${name}` } } } })
const own = { swagger: '2.0', paths: pathsOf('Toy'), definitions: { Toy: schemaOf('object') } }

merging('a definition that both have is shared, a different one of the same name is renamed', () => {
  const same = { paths: pathsOf('Part'), definitions: { Toy: schemaOf('object'), Part: schemaOf('string') } }
  const other = { paths: { '/other': pathsOf('Toy')['/Toy'] }, definitions: { Toy: schemaOf('integer') } }
  const { definitions, paths } = mergeDocuments(own, [same, other])
  assert.equal(definitions, { Toy: schemaOf('object'), Part: schemaOf('string'), Toy_v2: schemaOf('integer') })
  assert.equal((paths as Record<string, unknown>)['/other'], { get: { schema: { $ref: '#/definitions/Toy_v2' } } })
})

merging('a renamed definition does not take the name of another one in the same document', () => {
  const other = { paths: {}, definitions: { Toy: schemaOf('integer'), Toy_v2: schemaOf('boolean') } }
  const { definitions } = mergeDocuments(own, [other])
  assert.equal(definitions, { Toy: schemaOf('object'), Toy_v3: schemaOf('integer'), Toy_v2: schemaOf('boolean') })
})

merging.run()
