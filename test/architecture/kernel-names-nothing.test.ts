import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { knownNames, namesSpelledOut } from './known-names.js'
import { type Source, sources } from './sources.js'

const kernel = suite('the kernel names no resource type, no control and no plugin')
const names = await knownNames()

kernel('no literal in its sources is or contains such a name', () => {
  assert.equal(
    namesSpelledOut(
      sources('kernel').filter(source => !source.isTest),
      names,
    ),
    [],
  )
})

const planted: Readonly<Record<string, string>> = {
  'a resource': `const a = 'pods'`,
  'a resource in a path': 'const a = `/api/v1/configmaps/a`',
  'an ordinary word that is a whole literal': `if (kind === 'Event') return`,
  'a control': `const first = ['ResourceQuota', 'NamespaceLifecycle']`,
  'the path of a plugin': `const a = 'orch/plugins/storage-etcd'`,
}
for (const [what, text] of Object.entries(planted)) {
  kernel(`finds ${what} that is planted`, () => {
    const source: Source = { path: 'kernel/request/planted.ts', text, isTest: false }
    assert.is(namesSpelledOut([source], names).length > 0, true, text)
  })
}

kernel('leaves ordinary words and the extension points alone', () => {
  const text = `throw new Error('no endpoints, events or roles'); const lists = ['services', 'resources']`
  assert.equal(namesSpelledOut([{ path: 'kernel/a.ts', text, isTest: false }], names), [])
})

kernel.run()
