import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, type OrchConfig, type PluginEntry } from 'orch/sdk'
import type { PluginDefinition } from 'orch/sdk/host'
import { type BootRequest, bootPlugins } from '../../kernel/boot/boot-plugins.js'
import type { BootProblem } from '../../kernel/contracts/boot-errors.js'

/** A minimal plugin for a test case. */
export const aPlugin = (name: string, parts: Partial<PluginDefinition> = {}) =>
  definePlugin({ name, register() {}, ...parts })

/** The problems of booting these plugins. */
export async function problemsOf(
  plugins: readonly PluginEntry[],
  request: Partial<BootRequest> & { keys?: Partial<OrchConfig> } = {},
): Promise<readonly BootProblem[]> {
  const { keys, ...rest } = request
  return (await bootPlugins({ config: { plugins, ...keys }, ...rest })).problems
}

/** Runs `use` with a temporary folder of these files. */
export async function inFolder<T>(files: Record<string, string>, use: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'orch-boot-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
    return await use(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
