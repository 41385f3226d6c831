import { controlFile, loopFile, pluginFile } from './behaviour-templates.js'
import { compilerFile, configFile, packageFile, readmeFile, testFile } from './folder-templates.js'
import { pluginNames } from './plugin-names.js'
import { resourceFile, rulesFile, schemaFile } from './resource-templates.js'

/** The files of a new plugin, by name. `version` is that of this package. */
export function pluginFiles(plugin: string, version: string): Readonly<Record<string, string>> {
  const names = pluginNames(plugin)
  return {
    'schema.ts': schemaFile(names),
    'rules.ts': rulesFile(names),
    'resource.ts': resourceFile(names),
    [`${names.single}-limit.ts`]: controlFile(names),
    [`${names.single}-loop.ts`]: loopFile(names),
    'plugin.ts': pluginFile(names),
    'plugin.test.ts': testFile(names),
    'orch.config.ts': configFile(names),
    'package.json': packageFile(names, version),
    'tsconfig.json': compilerFile(),
    'README.md': readmeFile(names),
  }
}
