import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { kubernetesProfile, type Plugin, type Registrar, Type, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { KernelOptions } from '../../kernel/options/kernel-options.js'
import { scanCode } from './scan-code.js'
import { root, sources } from './sources.js'

const folder = join(root, 'plugins')
const plugins = readdirSync(folder).filter(name => existsSync(join(folder, name, 'plugin.ts')))

/** What a plugin contributes, without starting anything: registration is declarative. */
async function contentsOf(name: string): Promise<{ controls: string[]; options: string[] }> {
  const module: Record<string, unknown> = await import(join(root, 'dist/plugins', name, 'plugin.js'))
  const plugin = Object.values(module).find(
    (value): value is Plugin => typeof value === 'function' && 'definition' in value,
  )
  assert.ok(plugin, `plugins/${name}/plugin.ts exports no plugin`)
  const controls: string[] = []
  const registrar = new Proxy({} as Registrar, {
    get:
      (_, method) =>
      (...definitions: { name: string }[]) => {
        if (method === 'admission') controls.push(...definitions.map(definition => definition.name))
      },
  })
  const schema = plugin.definition.options ?? Type.Object({})
  const options = Value.Default(schema, {}) as Record<string, unknown>
  plugin.definition.register(registrar, {
    vendor: new Vendor(kubernetesProfile),
    options,
    isEnabled: () => false,
  })
  return { controls, options: Object.keys(schema.properties) }
}

const flagOf = (option: string) => `--${option.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

const readmes = suite('the README of every plugin')
for (const name of plugins)
  readmes(`${name} lists its controls and options`, async () => {
    const file = join(folder, name, 'README.md')
    assert.ok(existsSync(file), `plugins/${name} has no README.md`)
    const text = readFileSync(file, 'utf8')
    const { controls, options } = await contentsOf(name)
    assert.equal(
      controls.filter(control => !text.includes(control)),
      [],
      'controls that the README does not name',
    )
    assert.equal(
      options.filter(option => !text.includes(flagOf(option)) && !text.includes(`\`${option}\``)),
      [],
      'options that the README does not name',
    )
  })

/** In the same order in every README, so that readers find things. */
const headings = ['What it brings', 'Options', 'Admission controls', 'How it works', 'What it does not do']
const headingsOf = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
for (const name of plugins)
  readmes(`${name} has the five headings, each with something below it`, () => {
    const text = readFileSync(join(folder, name, 'README.md'), 'utf8')
    assert.equal(headingsOf(text), headings)
    const empty = text.split(/^## /m).filter(section => section.trim().split('\n').length === 1)
    assert.equal(empty.slice(text.startsWith('# ') && empty[0]?.startsWith('# ') ? 1 : 0), [])
  })
readmes.run()

const declared = suite('options that are declared')
declared('are all used: an option without effect would be a broken promise', async () => {
  const ofPlugins = await Promise.all(plugins.map(async name => (await contentsOf(name)).options))
  const texts = sources('kernel', 'plugins')
    .filter(({ isTest }) => !isTest)
    .map(({ text }) => scanCode(text).code)
  const timesNamed = (option: string) =>
    texts.reduce((times, text) => times + (text.match(new RegExp(`\\b${option}\\b`, 'g'))?.length ?? 0), 0)
  const options = [...Object.keys(KernelOptions.properties), ...ofPlugins.flat()]
  assert.equal(
    options.filter(option => timesNamed(option) < 2),
    [],
  )
})
declared.run()
