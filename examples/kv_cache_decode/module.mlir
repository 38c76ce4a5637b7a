module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<50x32xf32>, %arg1: tensor<32x32xf32>, %arg2: tensor<16x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<4xi32>) -> (tensor<16xi32> {jax.result_info = "result[0]"}, tensor<16x32xf32> {jax.result_info = "result[1]"}, tensor<16x32xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %2 = "stablehlo.scatter"(%0, %1, %arg5) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>):
      stablehlo.return %arg7 : tensor<i32>
    }) : (tensor<16xi32>, tensor<1xi32>, tensor<4xi32>) -> tensor<16xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5:9 = stablehlo.while(%iterArg = %arg0, %iterArg_3 = %arg2, %iterArg_4 = %arg3, %iterArg_5 = %arg1, %iterArg_6 = %arg4, %iterArg_7 = %c_2, %iterArg_8 = %2, %iterArg_9 = %3, %iterArg_10 = %4) : tensor<50x32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<16xi32>, tensor<16x32xf32>, tensor<16x32xf32>
    cond {
      %c_11 = stablehlo.constant dense<15> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_7, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %c_11 = stablehlo.constant dense<0> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_7, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.convert %iterArg_7 : tensor<i32>
      %c_12 = stablehlo.constant dense<16> : tensor<i32>
      %8 = stablehlo.add %7, %c_12 : tensor<i32>
      %9 = stablehlo.select %6, %8, %iterArg_7 : tensor<i1>, tensor<i32>
      %10 = stablehlo.dynamic_slice %iterArg_8, %9, sizes = [1] : (tensor<16xi32>, tensor<i32>) -> tensor<1xi32>
      %11 = stablehlo.reshape %10 : (tensor<1xi32>) -> tensor<i32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %12 = stablehlo.compare LT, %11, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_14 = stablehlo.constant dense<50> : tensor<i32>
      %13 = stablehlo.add %11, %c_14 : tensor<i32>
      %14 = stablehlo.select %12, %13, %11 : tensor<i1>, tensor<i32>
      %c_15 = stablehlo.constant dense<0> : tensor<i32>
      %c_16 = stablehlo.constant dense<0> : tensor<i32>
      %15 = stablehlo.compare LT, %c_15, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_17 = stablehlo.constant dense<0> : tensor<i32>
      %c_18 = stablehlo.constant dense<32> : tensor<i32>
      %16 = stablehlo.add %c_17, %c_18 : tensor<i32>
      %c_19 = stablehlo.constant dense<0> : tensor<i32>
      %17 = stablehlo.select %15, %16, %c_19 : tensor<i1>, tensor<i32>
      %18 = stablehlo.dynamic_slice %iterArg, %14, %17, sizes = [1, 32] : (tensor<50x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %19 = stablehlo.reshape %18 : (tensor<1x32xf32>) -> tensor<32xf32>
      %20 = stablehlo.convert %iterArg_7 : tensor<i32>
      %c_20 = stablehlo.constant dense<0> : tensor<i32>
      %21 = stablehlo.compare LT, %20, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_21 = stablehlo.constant dense<16> : tensor<i32>
      %22 = stablehlo.add %20, %c_21 : tensor<i32>
      %23 = stablehlo.select %21, %22, %20 : tensor<i1>, tensor<i32>
      %c_22 = stablehlo.constant dense<0> : tensor<i32>
      %c_23 = stablehlo.constant dense<0> : tensor<i32>
      %24 = stablehlo.compare LT, %c_22, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_24 = stablehlo.constant dense<0> : tensor<i32>
      %c_25 = stablehlo.constant dense<32> : tensor<i32>
      %25 = stablehlo.add %c_24, %c_25 : tensor<i32>
      %c_26 = stablehlo.constant dense<0> : tensor<i32>
      %26 = stablehlo.select %24, %25, %c_26 : tensor<i1>, tensor<i32>
      %27 = stablehlo.dynamic_slice %iterArg_3, %23, %26, sizes = [1, 32] : (tensor<16x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
      %28 = stablehlo.reshape %27 : (tensor<1x32xf32>) -> tensor<32xf32>
      %29 = stablehlo.add %19, %28 : tensor<32xf32>
      %30 = stablehlo.dot_general %29, %iterArg_4, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
      %31 = stablehlo.dot_general %29, %iterArg_5, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
      %32 = stablehlo.dot_general %29, %iterArg_6, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
      %33 = stablehlo.broadcast_in_dim %31, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %c_27 = stablehlo.constant dense<0> : tensor<i32>
      %34 = stablehlo.compare LT, %iterArg_7, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %35 = stablehlo.convert %iterArg_7 : tensor<i32>
      %c_28 = stablehlo.constant dense<16> : tensor<i32>
      %36 = stablehlo.add %35, %c_28 : tensor<i32>
      %37 = stablehlo.select %34, %36, %iterArg_7 : tensor<i1>, tensor<i32>
      %c_29 = stablehlo.constant dense<0> : tensor<i32>
      %38 = stablehlo.dynamic_update_slice %iterArg_9, %33, %37, %c_29 : (tensor<16x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<16x32xf32>
      %39 = stablehlo.broadcast_in_dim %32, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
      %c_30 = stablehlo.constant dense<0> : tensor<i32>
      %40 = stablehlo.compare LT, %iterArg_7, %c_30, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %41 = stablehlo.convert %iterArg_7 : tensor<i32>
      %c_31 = stablehlo.constant dense<16> : tensor<i32>
      %42 = stablehlo.add %41, %c_31 : tensor<i32>
      %43 = stablehlo.select %40, %42, %iterArg_7 : tensor<i1>, tensor<i32>
      %c_32 = stablehlo.constant dense<0> : tensor<i32>
      %44 = stablehlo.dynamic_update_slice %iterArg_10, %39, %43, %c_32 : (tensor<16x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<16x32xf32>
      %45 = stablehlo.iota dim = 0 : tensor<16xi32>
      %46 = stablehlo.convert %iterArg_7 : tensor<i32>
      %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<i32>) -> tensor<16xi32>
      %48 = stablehlo.compare LE, %45, %47, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
      %49 = stablehlo.dot_general %38, %30, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x32xf32>, tensor<32xf32>) -> tensor<16xf32>
      %cst_33 = stablehlo.constant dense<5.65685415> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %51 = stablehlo.divide %49, %50 : tensor<16xf32>
      %cst_34 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %52 = func.call @_where(%48, %51, %cst_34) : (tensor<16xi1>, tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
      %cst_35 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %53 = stablehlo.reduce(%52 init: %cst_35) applies stablehlo.maximum across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
      %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %54 = stablehlo.maximum %cst_36, %53 : tensor<f32>
      %55 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %56 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<1xf32>) -> tensor<16xf32>
      %57 = stablehlo.subtract %52, %56 : tensor<16xf32>
      %58 = stablehlo.exponential %57 : tensor<16xf32>
      %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %59 = stablehlo.reduce(%58 init: %cst_37) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
      %60 = stablehlo.broadcast_in_dim %59, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %61 = stablehlo.broadcast_in_dim %60, dims = [0] : (tensor<1xf32>) -> tensor<16xf32>
      %62 = stablehlo.divide %58, %61 : tensor<16xf32>
      %63 = stablehlo.dot_general %62, %44, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16xf32>, tensor<16x32xf32>) -> tensor<32xf32>
      %64 = stablehlo.add %29, %63 : tensor<32xf32>
      %65 = stablehlo.transpose %iterArg, dims = [1, 0] : (tensor<50x32xf32>) -> tensor<32x50xf32>
      %66 = stablehlo.dot_general %64, %65, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<32xf32>, tensor<32x50xf32>) -> tensor<50xf32>
      %c_38 = stablehlo.constant dense<1> : tensor<i32>
      %67 = stablehlo.add %iterArg_7, %c_38 : tensor<i32>
      %c_39 = stablehlo.constant dense<4> : tensor<i32>
      %68 = stablehlo.compare LT, %67, %c_39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_40 = stablehlo.constant dense<1> : tensor<i32>
      %69 = stablehlo.add %iterArg_7, %c_40 : tensor<i32>
      %c_41 = stablehlo.constant dense<0> : tensor<i32>
      %70 = stablehlo.compare LT, %69, %c_41, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %71 = stablehlo.convert %69 : tensor<i32>
      %c_42 = stablehlo.constant dense<16> : tensor<i32>
      %72 = stablehlo.add %71, %c_42 : tensor<i32>
      %73 = stablehlo.select %70, %72, %69 : tensor<i1>, tensor<i32>
      %74 = stablehlo.dynamic_slice %iterArg_8, %73, sizes = [1] : (tensor<16xi32>, tensor<i32>) -> tensor<1xi32>
      %75 = stablehlo.reshape %74 : (tensor<1xi32>) -> tensor<i32>
      %76 = func.call @argmax(%66) : (tensor<50xf32>) -> tensor<i32>
      %77 = func.call @_where_0(%68, %75, %76) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %c_43 = stablehlo.constant dense<1> : tensor<i32>
      %78 = stablehlo.add %iterArg_7, %c_43 : tensor<i32>
      %c_44 = stablehlo.constant dense<1> : tensor<i32>
      %79 = stablehlo.add %iterArg_7, %c_44 : tensor<i32>
      %c_45 = stablehlo.constant dense<0> : tensor<i32>
      %80 = stablehlo.compare LT, %79, %c_45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_46 = stablehlo.constant dense<16> : tensor<i32>
      %81 = stablehlo.add %79, %c_46 : tensor<i32>
      %82 = stablehlo.select %80, %81, %79 : tensor<i1>, tensor<i32>
      %83 = stablehlo.convert %82 : tensor<i32>
      %84 = stablehlo.broadcast_in_dim %83, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %85 = "stablehlo.scatter"(%iterArg_8, %84, %77) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
      ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>):
        stablehlo.return %arg7 : tensor<i32>
      }) : (tensor<16xi32>, tensor<1xi32>, tensor<i32>) -> tensor<16xi32>
      stablehlo.return %iterArg, %iterArg_3, %iterArg_4, %iterArg_5, %iterArg_6, %78, %85, %38, %44 : tensor<50x32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<i32>, tensor<16xi32>, tensor<16x32xf32>, tensor<16x32xf32>
    }
    return %5#6, %5#7, %5#8 : tensor<16xi32>, tensor<16x32xf32>, tensor<16x32xf32>
  }
  func.func private @_where(%arg0: tensor<16xi1>, %arg1: tensor<16xf32>, %arg2: tensor<f32>) -> tensor<16xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<16xi1>, tensor<16xf32>
    return %2 : tensor<16xf32>
  }
  func.func private @argmax(%arg0: tensor<50xf32>) -> tensor<i32> {
    %0 = stablehlo.iota dim = 0 : tensor<50xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<50xf32>, tensor<50xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
