import { authentication } from 'orch/plugins/authentication'
import { authorization } from 'orch/plugins/authorization'
import { defineConfig, definePlugin, type ServerOptions, type Static, Text, Type } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { KernelOptions } from '../../kernel/options/kernel-options.js'
import { inFolder, problemsOf } from './boot-request.js'

const types = suite('the type of a config')

/** This file does not compile unless both are true. */
type Same<A, B> = [Exclude<A, B> | Exclude<B, A>] extends [never] ? true : Exclude<A, B> | Exclude<B, A>
const hasEveryOption: Same<keyof ServerOptions, keyof KernelOptions> = true
const asConfigured = (options: Omit<KernelOptions, 'vendor'>): ServerOptions => options

const own = definePlugin({
  name: 'own',
  options: Type.Object({ color: Type.Union([Type.Literal('red'), Type.Literal('blue')], { default: 'red' }) }),
  register() {},
})

types('includes every option of the server', () => {
  assert.is(hasEveryOption, true)
  assert.type(asConfigured, 'function')
  assert.ok(Object.keys(KernelOptions.properties).length > 40)
})

types(
  'accepts options of the server and of imported plugins, and those of named plugins together with their names',
  () => {
    const named = { plugin: './wishes.ts', options: { wishLimit: 3 } }
    const config = defineConfig({
      securePort: 0,
      logFormat: 'json',
      color: 'blue',
      plugins: [own, authentication, named],
    })
    const { plugins } = defineConfig({ plugins: [...config.plugins, authorization({}), './other.ts'], color: 'red' })
    assert.is(plugins.length, 5)
  },
)

types('rejects unknown options and invalid values', () => {
  // @ts-expect-error a key that is misspelt
  defineConfig({ securePrt: 0, plugins: [own] })
  // @ts-expect-error a key of a plugin that is not listed
  defineConfig({ color: 'blue', plugins: [authentication] })
  // @ts-expect-error a key that is misspelt, with a plugin of which only the name is known
  defineConfig({ securePrt: 0, plugins: [own, './wishes.ts'] })
  // @ts-expect-error a value that is not one of the choices
  defineConfig({ logFormat: 'xml', plugins: [] })
  // @ts-expect-error as above, of a plugin
  defineConfig({ color: 'green', plugins: [own] })
  // @ts-expect-error a value of another type
  defineConfig({ securePort: '6443', plugins: [] })
})

types('is validated again at boot, with a suggestion', async () => {
  const [problem] = await problemsOf([own], { keys: { securePrt: 0 } })
  assert.equal(
    [problem?.code, problem?.details],
    ['ORCH_OPTION_UNKNOWN', { option: 'securePrt', suggestion: 'securePort' }],
  )
})

types('allows options next to the name of a plugin', () =>
  inFolder(
    {
      'wishes.ts': `import { definePlugin, Type } from 'orch/sdk'
export default definePlugin({ name: 'wishes', options: Type.Object({ wishLimit: Type.Integer({ maximum: 5 }) }), register() {} })`,
    },
    async configDir => {
      const withLimit = (wishLimit: number) =>
        problemsOf([{ plugin: './wishes.ts', options: { wishLimit } }], { configDir })
      assert.equal(await withLimit(3), [])
      assert.equal(
        (await withLimit(6)).map(({ code, plugin }) => [code, plugin]),
        [['ORCH_OPTION_INVALID', 'wishes']],
      )
    },
  ),
)

types('of a string with an enum is the union of its values', () => {
  const Color = Text({ enum: ['red', 'green'], default: 'red' })
  const red: Static<typeof Color> = 'red'
  // @ts-expect-error no such color
  const pink: Static<typeof Color> = 'pink'
  assert.equal([Color['type'], Color['enum'], Color['default']], ['string', ['red', 'green'], red])
  assert.is.not(pink, red)
})

types.run()
