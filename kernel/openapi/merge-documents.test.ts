import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../libs/json/index.js'
import { Turns } from '../contracts/turns.js'
import { mergeDocuments } from './merge-documents.js'

const merging = suite('merging OpenAPI documents')

const schemaOf = (type: string) => ({ type })
const pathsOf = (name: string) => ({ [`/${name}`]: { get: { schema: { $ref: `#/definitions/${name}` } } } })
const merge = (others: readonly object[]): Promise<JsonObject> => new Turns().finish(mergeDocuments(own, others))
const own = { swagger: '2.0', paths: pathsOf('Toy'), definitions: { Toy: schemaOf('object') } }

merging('a definition that both have is shared, a different one of the same name is renamed', async () => {
  const same = { paths: pathsOf('Part'), definitions: { Toy: schemaOf('object'), Part: schemaOf('string') } }
  const other = { paths: { '/other': pathsOf('Toy')['/Toy'] }, definitions: { Toy: schemaOf('integer') } }
  const { definitions, paths } = await merge([same, other])
  assert.equal(definitions, { Toy: schemaOf('object'), Part: schemaOf('string'), Toy_v2: schemaOf('integer') })
  assert.equal((paths as Record<string, unknown>)['/other'], { get: { schema: { $ref: '#/definitions/Toy_v2' } } })
})

merging('a renamed definition does not take the name of another one in the same document', async () => {
  const other = { paths: {}, definitions: { Toy: schemaOf('integer'), Toy_v2: schemaOf('boolean') } }
  const { definitions } = await merge([other])
  assert.equal(definitions, { Toy: schemaOf('object'), Toy_v3: schemaOf('integer'), Toy_v2: schemaOf('boolean') })
})

merging.run()
