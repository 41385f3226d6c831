/** For plugins that read files of operators: YAML, PEM, configurations, and files that change while the server runs. */

export { readYaml, YamlError } from '../yaml/read-yaml.js'
export { writeYaml } from '../yaml/write-yaml.js'
export { ChangingFiles } from './changing-files.js'
export type { ChangingFilesOptions } from './file-contents.js'
export { FollowedFiles } from './followed-files.js'
export { ConfigurationReader, readConfiguration } from './read-configuration.js'
export { pemBlocks, withoutTrailing } from './text-scanning.js'
