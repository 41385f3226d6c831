import { definePlugin } from 'orch/sdk'
import { defineStorage } from 'orch/sdk/host'
import { Memory } from './memory.js'
import { MemoryStore } from './memory-store.js'

/** Stores by data folder, so that a folder can be opened again in this process. */
const memories = new Map<string, Memory>()

/** The engine `memory`. */
export const memoryEngine = defineStorage({
  name: 'memory',
  async open({ dataDir, historyMs, now }) {
    const memory = memories.get(dataDir) ?? new Memory()
    memories.set(dataDir, memory)
    return new MemoryStore(memory, { historyMs, now })
  },
})

export const memoryStorage = definePlugin({ name: 'memory-storage', register: to => to.storage(memoryEngine) })
