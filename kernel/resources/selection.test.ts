import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ResourceType } from '../types/resource-type.js'
import { attributesOf } from '../types/stored-form.js'
import { parseSelection } from './selection.js'

const storage = { name: 'v1', isStorage: true, definition: {} }
const type = { namespaced: true, definition: {}, storage, origin: { storage } } as unknown as ResourceType
const selected = (selector: string, size: string | undefined): boolean => {
  const labels: Record<string, string> = size === undefined ? {} : { size }
  const { filter } = parseSelection(type, type.storage, selector, '')
  return filter?.(attributesOf(type, { metadata: { name: 'a', namespace: 'n', labels } })) ?? true
}

const selections = suite('selections')

selections('labels are compared with numbers only where they are whole numbers', () => {
  assert.ok(selected('size>4', '5'))
  assert.ok(selected('size<9007199254740993', '9007199254740992'))
  assert.not.ok(selected('size>9007199254740992', '9007199254740992'))
  for (const text of ['', '4.5', '1e3', '0x10', 'large', undefined])
    for (const selector of ['size>0', 'size<100', 'size<9000'])
      assert.not.ok(selected(selector, text), `${selector}: ${text}`)
})

selections('no two selections have the same text', () => {
  const textOf = (labels: string, fields: string) => parseSelection(type, type.storage, labels, fields).text
  assert.is.not(textOf('a,\nb', ''), textOf('a', 'metadata.name=b'))
  assert.is(textOf('a', 'metadata.name=b'), textOf('a', 'metadata.name=b'))
})

selections('a field that cannot be selected by is named, with those that can', () => {
  const pods = {
    namespaced: true,
    definition: { resource: 'pods', selectableFields: { 'spec.nodeName': () => '' } },
    storage,
  } as unknown as ResourceType
  assert.throws(
    () => parseSelection(pods, pods.storage, '', 'spec.bogus=1'),
    ({ code, message }: { code: number; message: string }) =>
      code === 400 &&
      message ===
        'field label not supported: spec.bogus; pods can be selected by metadata.name, metadata.namespace, spec.nodeName',
  )
})

selections.run()
