import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sources } from './sources.js'
import { declaredDifferences, readVersionsPage, versionsText } from './versions-page.js'

const page = suite('the page about versions')
const declared = declaredDifferences(sources('kernel', 'sdk', 'plugins'))

page('lists every difference that the code declares (npm run api)', () => {
  const text = readVersionsPage()
  assert.is(text, versionsText(text, declared), 'run npm run api and review the change')
})
page('every difference has a name of its own, a version, a sentence and a source', () => {
  assert.ok(declared.length > 5)
  assert.is(new Set(declared.map(({ name }) => name)).size, declared.length)
  for (const { name, since, until, knownFrom, description } of declared) {
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    assert.match(since + until, /^(1\.\d+)+$/, name)
    assert.ok(['recorded', 'probed', 'gate', 'source'].includes(knownFrom), `${name} is known from "${knownFrom}"`)
    assert.match(description, /^\S[\s\S]{20,}\.$/, `${name}: "${description}"`)
  }
})
page.run()
