import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { missingTypes, readmePage, readmeText, servedPage, servedText, servedTypes } from './served-types.js'

const served = suite('the served types in the README and docs/served.md')

served('match discovery (npm run api)', async () => {
  const types = await servedTypes()
  assert.ok(types.length > 100)
  assert.is(readFileSync(servedPage, 'utf8'), servedText(types))
  const readme = readFileSync(readmePage, 'utf8')
  assert.is(readme, readmeText(readme, types))
})

served('a missing type, subresource or verb is listed', () => {
  const pods = { group: '', version: 'v1', name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get', 'list'] }
  const missing = missingTypes([pods])
  const found = (name: string) => missing.find(one => one.groupVersion === 'v1' && one.name === name)?.verbs
  assert.equal(found('pods'), ['create', 'delete', 'deletecollection', 'patch', 'update', 'watch'])
  assert.equal([found('pods/log'), found('configmaps')], [[], []])
})

served.run()
