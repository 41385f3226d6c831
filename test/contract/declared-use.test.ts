import type { PluginEntry, Registrar } from 'orch/sdk'
import { proposedServices } from 'orch/sdk/host'
import * as proposedDoor from 'orch/sdk/proposed'
import { sharedWork } from 'orch/sdk/proposed'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aPlugin, inFolder, problemsOf } from '../boot/boot-request.js'

/** The sdk versions that a plugin declares, checked at boot. */
const declared = suite('sdk versions that plugins declare')

const shares = (to: Registrar) => to.onStart({ name: 'share', needs: { work: sharedWork }, run() {} })
interface Case {
  readonly plugin: PluginEntry
  readonly code: string
  readonly message: RegExp
}
const cases: Readonly<Record<string, Case>> = {
  'an entry point of another version': {
    plugin: aPlugin('future', { sdk: { 'orch/sdk': '^1.0.0', 'orch/sdk/host': '^99.0.0' } }),
    code: 'ORCH_PLUGIN_SDK_RANGE',
    message: /"future" was written for orch\/sdk\/host \^99\.0\.0/,
  },
  'an entry point that does not exist': {
    plugin: aPlugin('odd', { sdk: { 'orch/sdk/cellar': '^1.0.0' } }),
    code: 'ORCH_PLUGIN_INVALID',
    message: /"odd".*"orch\/sdk\/cellar"/,
  },
  'a proposed name that is used and not declared': {
    plugin: aPlugin('eager', { register: shares }),
    code: 'ORCH_PLUGIN_PROPOSED',
    message: /"eager" uses "sharedWork" .*Add it to its definition, proposed: \['sharedWork'\]/,
  },
  'a proposed name that this sdk does not have': {
    plugin: aPlugin('late', { proposed: ['telepathy'] }),
    code: 'ORCH_PLUGIN_PROPOSED_UNKNOWN',
    message: /"late" declares the proposed name "telepathy"/,
  },
}
for (const [title, { plugin, code, message }] of Object.entries(cases))
  declared(title, async () => {
    const found = await problemsOf([plugin])
    assert.equal(
      found.map(each => each.code),
      [code],
    )
    assert.match(found[0]?.message ?? '', message)
  })

declared('a plugin with correct declarations boots', async () => {
  const sdk = { 'orch/sdk': '^1.0.0', 'orch/sdk/server': '1.x' }
  assert.equal(await problemsOf([aPlugin('fine', { sdk, proposed: ['sharedWork'], register: shares })]), [])
})

const isolatedSource = (definition: string) => `import { definePlugin } from 'orch/sdk'
import { sharedWork } from 'orch/sdk/proposed'
export default definePlugin({
  name: 'apart',
  ${definition}
  register(to) {
    to.controller({ name: 'apart', needs: { work: sharedWork }, start: () => async () => {} })
  },
})`
declared('a plugin in a separate process declares them, too', () =>
  inFolder(
    { 'silent.mjs': isolatedSource(''), 'open.mjs': isolatedSource("proposed: ['sharedWork'],") },
    async configDir => {
      const problems = (plugin: string) => problemsOf([{ plugin, isolation: 'worker' }], { configDir })
      assert.equal(
        (await problems('./silent.mjs')).map(({ code, details }) => ({ code, details })),
        [{ code: 'ORCH_PLUGIN_PROPOSED', details: { plugin: 'apart', name: 'sharedWork' } }],
      )
      assert.equal(await problems('./open.mjs'), [])
    },
  ),
)

declared('the use of every value of orch/sdk/proposed can be detected', () => {
  assert.equal(new Set(Object.keys(proposedDoor)), new Set(Object.keys(proposedServices)))
})

declared.run()
