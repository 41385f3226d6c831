import type { Toleration } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mergeTolerations, TolerationSet } from './merge-tolerations.js'

const merge = suite('tolerations')

const pairs: Record<string, [wide: Toleration, narrow: Toleration, isCovered: boolean]> = {
  'everything covers anything': [{ operator: 'Exists' }, { key: 'a', value: 'b', effect: 'NoSchedule' }, true],
  'a key covers its values': [{ key: 'a', operator: 'Exists' }, { key: 'a', operator: 'Equal', value: 'b' }, true],
  'a value does not cover the key': [
    { key: 'a', operator: 'Equal', value: 'b' },
    { key: 'a', operator: 'Exists' },
    false,
  ],
  'keys differ': [{ key: 'a', operator: 'Exists' }, { key: 'b', operator: 'Exists' }, false],
  'values differ': [{ key: 'a', operator: 'Equal', value: 'b' }, { key: 'a', operator: 'Equal', value: 'c' }, false],
  'all effects cover one': [
    { key: 'a', operator: 'Equal' },
    { key: 'a', operator: 'Equal', effect: 'NoSchedule' },
    true,
  ],
  'no operator covers Equal': [
    { key: 'a', value: 'b' },
    { key: 'a', operator: 'Equal', value: 'b', effect: 'NoSchedule' },
    true,
  ],
  'no operator is covered by no operator': [{ key: 'a', value: 'b' }, { key: 'a', value: 'b' }, true],
  'no operator is not covered by Equal with another value': [
    { key: 'a', operator: 'Equal', value: 'b' },
    { key: 'a', value: 'b', effect: 'NoSchedule' },
    false,
  ],
  'every key with one effect covers that effect': [
    { operator: 'Exists', effect: 'NoExecute' },
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    true,
  ],
  'every key with one effect does not cover others': [
    { operator: 'Exists', effect: 'NoExecute' },
    { key: 'a', operator: 'Exists' },
    false,
  ],
  'a negative time covers zero': [
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: -1 },
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 },
    false,
  ],
  'one effect does not cover all': [{ key: 'a', effect: 'NoSchedule' }, { key: 'a' }, false],
  'unlimited time covers a limited one': [
    { key: 'a', operator: 'Exists' },
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    true,
  ],
  'a limited time does not cover an unlimited one': [
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    { key: 'a', operator: 'Exists', effect: 'NoExecute' },
    false,
  ],
  'a short time does not cover a long one': [
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 6 },
    false,
  ],
}
for (const [title, [wide, narrow, isCovered]] of Object.entries(pairs))
  merge(title, () => {
    const set = new TolerationSet()
    set.add(wide)
    assert.is(set.covers(narrow), isCovered)
  })

merge('are merged in order, without those that others cover', () => {
  const narrow = { key: 'a', operator: 'Equal', value: 'x' }
  const wide = { key: 'a', operator: 'Exists' }
  const other = { key: 'b', operator: 'Exists' }
  assert.equal(mergeTolerations([narrow, other], [wide, other]), [other, wide])
  assert.equal(mergeTolerations([wide], [narrow]), [wide])
})

merge('are merged in linear time', () => {
  const many = Array.from({ length: 5_000 }, (_, i) => ({ key: 'a', operator: 'Equal', value: `${i}` }))
  assert.is(mergeTolerations(many, many).length, many.length)
  assert.equal(mergeTolerations(many, [{ operator: 'Exists' }]), [{ operator: 'Exists' }])
})

merge.run()
