import { scanCode } from './scan-code.js'
import type { Source } from './sources.js'

/** Implements the contract of the store, or wraps one and forwards writes. */
const isStoreItself = ({ path, text }: Source) =>
  path.startsWith('kernel/storage/') || /\bextends (Forwarding|Versioned)Store\b/.test(text)

/** Files of the kernel that write to the store: `store.transact(…)` and `store.write(…)` on any variable. */
export function storeWriters(sources: readonly Source[]): string[] {
  return sources
    .filter(source => source.path.startsWith('kernel/') && !source.isTest && !isStoreItself(source))
    .filter(({ text }) => /\.transact\s*\(|[sS]tore\??\.write\s*\(/.test(scanCode(text).code))
    .map(({ path }) => path)
}
