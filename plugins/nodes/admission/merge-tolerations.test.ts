import type { Toleration } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { covers, mergeTolerations } from './merge-tolerations.js'

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
  'all effects cover one': [{ key: 'a' }, { key: 'a', effect: 'NoSchedule' }, true],
  'one effect does not cover all': [{ key: 'a', effect: 'NoSchedule' }, { key: 'a' }, false],
  'for ever covers a while': [
    { key: 'a', operator: 'Exists' },
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    true,
  ],
  'a while does not cover for ever': [
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    { key: 'a', operator: 'Exists', effect: 'NoExecute' },
    false,
  ],
  'a short while does not cover a long one': [
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
    { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 6 },
    false,
  ],
}
for (const [title, [wide, narrow, isCovered]] of Object.entries(pairs))
  merge(title, () => {
    assert.is(covers(wide, narrow), isCovered)
  })

merge('are merged in order, without those that others cover', () => {
  const narrow = { key: 'a', operator: 'Equal', value: 'x' }
  const wide = { key: 'a', operator: 'Exists' }
  const other = { key: 'b', operator: 'Exists' }
  assert.equal(mergeTolerations([narrow, other], [wide, other]), [other, wide])
  assert.equal(mergeTolerations([wide], [narrow]), [wide])
})

merge.run()
