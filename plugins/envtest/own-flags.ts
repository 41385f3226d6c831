import { resolve } from 'node:path'

/** Flags of `orch serve` whose config is found from every folder: suites start servers in folders of their own. */
export const withAbsoluteConfig = (flags: readonly string[], workingDir: string): string[] =>
  flags.map((flag, at) => {
    if (flags[at - 1] === '--config') return resolve(workingDir, flag)
    const [, path] = /^--config=(.*)$/s.exec(flag) ?? []
    return path === undefined ? flag : `--config=${resolve(workingDir, path)}`
  })
