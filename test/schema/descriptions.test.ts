import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { StructNode, TypeNode } from '../../kernel/schema/type-model.js'
import { builtInTypes } from './built-in-types.js'

const descriptions = suite('descriptions')

/** Every struct that a node leads to, once. */
function structsOf(node: TypeNode, found = new Set<StructNode>()): Set<StructNode> {
  if (node.is === 'list') structsOf(node.item, found)
  if (node.is === 'map') structsOf(node.value, found)
  if (node.is === 'struct' && !found.has(node)) {
    found.add(node)
    for (const field of node.fields.values()) structsOf(field.node, found)
  }
  return found
}

descriptions('every field of every built-in type has a description in a sentence', async () => {
  const structs = new Set<StructNode>()
  for (const type of (await builtInTypes()).values()) structsOf(type, structs)
  assert.ok(structs.size > 200)
  const isSentence = (text: unknown) => typeof text === 'string' && /^\S.*\.$/.test(text)
  const silent = [...structs].flatMap(struct =>
    [...struct.fields.values()]
      .filter(({ schema }) => !isSentence(schema.description))
      .map(({ name }) => `${struct.name}.${name}`),
  )
  assert.equal(silent, [])
})

descriptions.run()
