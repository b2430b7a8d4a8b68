// TypeScript for the mutation run: parses a file, and checks whether a changed text passes
// the type check and the check for dropped promises. Nothing is written to the disk.
import type { SourceFile } from 'typescript/unstable/ast';
import { API, type Project } from 'typescript/unstable/sync';
import { unusedPromisesIn } from '#test/proof/lint/unused-promises.ts';

export interface Compiler {
  parse(path: string): SourceFile;
  /** @returns whether the compiler refuses the text in place of the file's own. */
  refuses(path: string, text: string): boolean;
  close(): void;
}

export function openCompiler(root: string, configs: readonly string[]): Compiler {
  const changed = new Map<string, string>();
  const api = new API({ cwd: root, fs: { readFile: (path) => changed.get(path) } });
  let snapshot = api.updateSnapshot({ openProjects: [...configs] });

  function projectOf(path: string): Project {
    const found = snapshot.getProjects().find(({ rootFiles }) => rootFiles.includes(path));
    if (!found) throw new Error(`${path} is in no TypeScript project`);
    return found;
  }

  function parse(path: string): SourceFile {
    const file = projectOf(path).program.getSourceFile(path);
    if (!file) throw new Error(`${path} can't be read`);
    return file;
  }

  function update(paths: string[]): void {
    const before = snapshot;
    snapshot = api.updateSnapshot({ fileChanges: { changed: paths } });
    before.dispose();
  }

  return {
    parse,
    refuses(path, text) {
      const others = [...changed.keys()].filter((other) => other !== path);
      changed.clear();
      changed.set(path, text);
      update([...others, path]);
      const project = projectOf(path);
      const { program } = project;
      const faults = [
        ...program.getSyntacticDiagnostics(path),
        ...program.getSemanticDiagnostics(path),
      ];
      return faults.length > 0 || unusedPromisesIn(root, project, path).length > 0;
    },
    close: () => api.close(),
  };
}
