package io.tsdbsuite.testkit.work;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Counts work instead of time: the calls and the turns of loops in the counted classes, the bytes
 * that they allocate, and what they copy or compare by {@link System#arraycopy} and the searches of
 * {@link List}. Other loops inside of the JDK are not counted. For one thread.
 */
public final class WorkCounter {
  /** Length of the small input. */
  private static final int SMALL = 1 << 11;

  /** Length of the large input: 16 times as long, so quadratic work is 16 times as much by byte. */
  private static final int LARGE = 1 << 15;

  /** How much more work the large input may take by byte. */
  private static final int MOST_GROWTH = 3;

  /** Work by byte below which it does not matter: a quadratic part would be above it. */
  private static final long LEAST = 10;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static long steps;

  private final Consumer<byte[]> work;

  /**
   * Loads classes anew, counted.
   *
   * @param work takes an input; a class with a constructor without parameters
   * @param packages beginnings of the counted classes' names; must have that of {@code work}
   */
  @SuppressWarnings("unchecked")
  public WorkCounter(Class<? extends Consumer<byte[]>> work, String... packages) {
    try {
      Class<?> counted =
          new CountedClasses(work.getClassLoader(), List.of(packages)).loadClass(work.getName());
      Constructor<?> constructor = counted.getDeclaredConstructor();
      constructor.setAccessible(true);
      this.work = (Consumer<byte[]>) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(work + " must be constructed without parameters", e);
    }
  }

  /** The work for an input. */
  public long count(byte[] input) {
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long before = steps;
    work.accept(input);
    return steps - before + THREADS.getCurrentThreadAllocatedBytes() - allocated;
  }

  /**
   * Compares the work for a small and a large input of one kind.
   *
   * @param inputs makes an input of about so many bytes
   * @return why the work is not linear in the input's length; empty if it is
   */
  public String problem(IntFunction<byte[]> inputs) {
    byte[] first = inputs.apply(SMALL);
    byte[] second = inputs.apply(LARGE);
    // Once for what is done once.
    count(first);
    long small = count(first) / first.length;
    long large = count(second) / second.length;
    return large <= MOST_GROWTH * Math.max(small, LEAST)
        ? ""
        : "%s steps by byte of %s, but %s by byte of %s"
            .formatted(large, second.length, small, first.length);
  }

  /** Called by the counted classes. */
  public static void step() {
    steps++;
  }

  /** Called by the counted classes. */
  public static void arraycopy(Object from, int fromOff, Object to, int toOff, int length) {
    steps += length;
    System.arraycopy(from, fromOff, to, toOff, length);
  }

  /** Called by the counted classes. */
  public static int indexOf(List<?> list, Object wanted) {
    steps += list.size();
    return list.indexOf(wanted);
  }

  /** Called by the counted classes. */
  public static boolean contains(List<?> list, Object wanted) {
    steps += list.size();
    return list.contains(wanted);
  }

  private static final class CountedClasses extends ClassLoader {
    private final List<String> packages;

    CountedClasses(ClassLoader parent, List<String> packages) {
      super(parent);
      this.packages = packages;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (packages.stream().noneMatch(name::startsWith)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        ClassWriter counted = new ClassWriter(0);
        new ClassReader(in.readAllBytes()).accept(new CountedClass(counted), 0);
        byte[] code = counted.toByteArray();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private static final class CountedClass extends ClassVisitor {
    CountedClass(ClassVisitor to) {
      super(Opcodes.ASM9, to);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      return new CountedMethod(super.visitMethod(access, name, descriptor, signature, exceptions));
    }
  }

  private static final class CountedMethod extends MethodVisitor {
    private static final String COUNTER = WorkCounter.class.getName().replace('.', '/');

    private final Set<Label> passed = new HashSet<>();

    CountedMethod(MethodVisitor to) {
      super(Opcodes.ASM9, to);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      visitStep();
    }

    @Override
    public void visitLabel(Label label) {
      passed.add(label);
      super.visitLabel(label);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      if (passed.contains(label)) {
        visitStep();
      }
      super.visitJumpInsn(opcode, label);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      boolean copies = owner.equals("java/lang/System") && name.equals("arraycopy");
      boolean searches =
          owner.equals("java/util/List") && (name.equals("indexOf") || name.equals("contains"));
      if (copies) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, COUNTER, name, descriptor, false);
      } else if (searches) {
        String withList = descriptor.replace("(", "(Ljava/util/List;");
        super.visitMethodInsn(Opcodes.INVOKESTATIC, COUNTER, name, withList, false);
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }

    private void visitStep() {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, COUNTER, "step", "()V", false);
    }
  }
}
