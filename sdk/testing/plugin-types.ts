import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { structuralSchema } from '../../kernel/index.js'
import type { PluginEntry } from '../plugin/config.js'
import type { Vendor, VendorProfile } from '../plugin/vendor.js'
import type { ResourceDefinition } from '../resource/resource.js'
import type { TSchema } from '../resource/schema.js'
import { pluginUnderTest } from './plugin-conformance/plugin-under-test.js'

/** The types of a plugin. */
export interface PluginTypes {
  readonly vendor: Vendor
  readonly resources: readonly ResourceDefinition[]
  /** A `Kind(...)` as the structural schema of a CustomResourceDefinition. */
  structuralSchema(schema: TSchema): Record<string, unknown>
}

/** Loads a plugin (an imported one, a package name or a path) and lets it register. Throws a BootError when it cannot. */
export async function pluginTypes(
  plugin: PluginEntry,
  { fromDir = process.cwd(), vendor }: { readonly fromDir?: string; readonly vendor?: string | VendorProfile } = {},
): Promise<PluginTypes> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-types-'))
  try {
    const run = { plugin, fromDir, ...(vendor === undefined ? {} : { vendor }) }
    const found = await pluginUnderTest(run, folder)
    return {
      vendor: found.vendor,
      resources: found.resources,
      structuralSchema: schema => structuralSchema(schema, found.vendor),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
