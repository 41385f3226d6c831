import type { ConfigMap } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateConfigMap, validateConfigMapUpdate } from './validation.js'

const validation = suite('validation of config maps')
const mebibyte = 'x'.repeat(1024 * 1024)

const created: Record<string, { object: ConfigMap; wrong: string[] }> = {
  'accepts keys that are file names': { object: { data: { 'a.b': '', '.hidden': '', '-': '', _: '' } }, wrong: [] },
  'refuses a key with a blank': { object: { data: { 'a b': '' } }, wrong: ['data[a b]'] },
  'refuses a key that would leave its folder': { object: { binaryData: { '..x': '' } }, wrong: ['binaryData[..x]'] },
  'refuses a key of more than 253 characters': {
    object: { data: { ['k'.repeat(254)]: '' } },
    wrong: [`data[${'k'.repeat(254)}]`],
  },
  'refuses a key in both maps, once': { object: { data: { k: 'x' }, binaryData: { k: 'eA==' } }, wrong: ['data[k]'] },
  'reports a key in both maps before validating the second': {
    object: { data: { k: 'x' }, binaryData: { k: 'eA==', 'b d': 'eA==' } },
    wrong: ['data[k]', 'binaryData[b d]'],
  },
  'does not confuse keys with properties of Object.prototype': {
    object: { data: { toString: 'x' }, binaryData: {} },
    wrong: [],
  },
  'accepts 1 MiB': { object: { data: { k: mebibyte } }, wrong: [] },
  'refuses more than 1 MiB over both maps': {
    object: { data: { k: mebibyte }, binaryData: { b: 'eA==' } },
    wrong: ['[]'],
  },
}
for (const [title, { object, wrong }] of Object.entries(created))
  validation(title, () => {
    assert.equal(
      validateConfigMap(object).map(error => error.field),
      wrong,
    )
  })

const updated: Record<string, { stored: ConfigMap; sent: ConfigMap; wrong: string[] }> = {
  'lets data change while it is not immutable': { stored: { data: { k: '1' } }, sent: { data: { k: '2' } }, wrong: [] },
  'allows an unchanged immutable one': {
    stored: { immutable: true, data: { k: '1' } },
    sent: { immutable: true, data: { k: '1' }, metadata: { labels: { a: 'b' } } },
    wrong: [],
  },
  'refuses other data in an immutable one': {
    stored: { immutable: true, data: { k: '1' } },
    sent: { immutable: true, data: { k: '2' }, binaryData: { b: 'eA==' } },
    wrong: ['data', 'binaryData'],
  },
  'refuses to unset immutable': {
    stored: { immutable: true },
    sent: { immutable: false },
    wrong: ['immutable'],
  },
}
for (const [title, { stored, sent, wrong }] of Object.entries(updated))
  validation(title, () => {
    assert.equal(
      validateConfigMapUpdate(sent, stored).map(error => error.field),
      wrong,
    )
  })

validation.run()
