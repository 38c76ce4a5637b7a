module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x3x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<3x3x8x16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<144x10xf32>, %arg5: tensor<10xf32>, %arg6: tensor<3x3x3x8xf32>, %arg7: tensor<8xf32>, %arg8: tensor<3x3x8x16xf32>, %arg9: tensor<16xf32>, %arg10: tensor<144x10xf32>, %arg11: tensor<10xf32>, %arg12: tensor<8x12x12x3xf32>, %arg13: tensor<8xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x3x3x8xf32> {jax.result_info = "result[1]['convolutions'][0][0]"}, tensor<8xf32> {jax.result_info = "result[1]['convolutions'][0][1]"}, tensor<3x3x8x16xf32> {jax.result_info = "result[1]['convolutions'][1][0]"}, tensor<16xf32> {jax.result_info = "result[1]['convolutions'][1][1]"}, tensor<144x10xf32> {jax.result_info = "result[1]['dense'][0]"}, tensor<10xf32> {jax.result_info = "result[1]['dense'][1]"}, tensor<3x3x3x8xf32> {jax.result_info = "result[2]['convolutions'][0][0]"}, tensor<8xf32> {jax.result_info = "result[2]['convolutions'][0][1]"}, tensor<3x3x8x16xf32> {jax.result_info = "result[2]['convolutions'][1][0]"}, tensor<16xf32> {jax.result_info = "result[2]['convolutions'][1][1]"}, tensor<144x10xf32> {jax.result_info = "result[2]['dense'][0]"}, tensor<10xf32> {jax.result_info = "result[2]['dense'][1]"}) {
    %0 = stablehlo.convolution(%arg12, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x12x12x3xf32>, tensor<3x3x3x8xf32>) -> tensor<8x12x12x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x12x12x8xf32>
    %3 = stablehlo.add %0, %2 : tensor<8x12x12x8xf32>
    %4 = call @relu(%3) : (tensor<8x12x12x8xf32>) -> tensor<8x12x12x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x12x12x8xf32>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<8x12x12x8xf32>, tensor<8x12x12x8xf32>) -> tensor<8x12x12x8xi1>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.reduce_window"(%4, %7) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %111 = stablehlo.maximum %arg14, %arg15 : tensor<f32>
      stablehlo.return %111 : tensor<f32>
    }) : (tensor<8x12x12x8xf32>, tensor<f32>) -> tensor<8x6x6x8xf32>
    %9 = stablehlo.convolution(%8, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x6x6x8xf32>, tensor<3x3x8x16xf32>) -> tensor<8x6x6x16xf32>
    %10 = stablehlo.broadcast_in_dim %arg3, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<8x6x6x16xf32>
    %12 = stablehlo.add %9, %11 : tensor<8x6x6x16xf32>
    %13 = call @relu_0(%12) : (tensor<8x6x6x16xf32>) -> tensor<8x6x6x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x6x6x16xf32>
    %15 = stablehlo.compare GT, %12, %14, FLOAT : (tensor<8x6x6x16xf32>, tensor<8x6x6x16xf32>) -> tensor<8x6x6x16xi1>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.reduce_window"(%13, %16) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %111 = stablehlo.maximum %arg14, %arg15 : tensor<f32>
      stablehlo.return %111 : tensor<f32>
    }) : (tensor<8x6x6x16xf32>, tensor<f32>) -> tensor<8x3x3x16xf32>
    %18 = stablehlo.reshape %17 : (tensor<8x3x3x16xf32>) -> tensor<8x144xf32>
    %19 = stablehlo.dot_general %18, %arg4, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x144xf32>, tensor<144x10xf32>) -> tensor<8x10xf32>
    %20 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<8x10xf32>
    %22 = stablehlo.add %19, %21 : tensor<8x10xf32>
    %23:3 = call @log_softmax(%22) : (tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x1xf32>)
    %24 = stablehlo.iota dim = 0 : tensor<8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %26 = stablehlo.compare LT, %24, %25, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_3 = stablehlo.constant dense<8> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %28 = stablehlo.add %24, %27 : tensor<8xi32>
    %29 = stablehlo.select %26, %28, %24 : tensor<8xi1>, tensor<8xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %31 = stablehlo.compare LT, %arg13, %30, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_5 = stablehlo.constant dense<10> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %33 = stablehlo.add %arg13, %32 : tensor<8xi32>
    %34 = stablehlo.select %31, %33, %arg13 : tensor<8xi1>, tensor<8xi32>
    %35 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %36 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %37 = stablehlo.concatenate %35, %36, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x2xi32>
    %38 = "stablehlo.gather"(%23#0, %37) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x10xf32>, tensor<8x2xi32>) -> tensor<8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %40 = stablehlo.divide %39, %cst_7 : tensor<f32>
    %41 = stablehlo.negate %40 : tensor<f32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.negate %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %43 = stablehlo.divide %42, %cst_9 : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %46 = "stablehlo.scatter"(%45, %37, %44) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %111 = stablehlo.add %arg14, %arg15 : tensor<f32>
      stablehlo.return %111 : tensor<f32>
    }) : (tensor<8x10xf32>, tensor<8x2xi32>, tensor<8xf32>) -> tensor<8x10xf32>
    %47 = call @log_softmax_1(%23#1, %23#2, %46) : (tensor<8x10xf32>, tensor<8x1xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<8x10xf32>, tensor<f32>) -> tensor<10xf32>
    %49 = stablehlo.reshape %48 : (tensor<10xf32>) -> tensor<1x10xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<10xf32>
    %51 = stablehlo.dot_general %47, %18, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x10xf32>, tensor<8x144xf32>) -> tensor<10x144xf32>
    %52 = stablehlo.transpose %51, dims = [1, 0] : (tensor<10x144xf32>) -> tensor<144x10xf32>
    %53 = stablehlo.dot_general %47, %arg4, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x10xf32>, tensor<144x10xf32>) -> tensor<8x144xf32>
    %54 = stablehlo.reshape %53 : (tensor<8x144xf32>) -> tensor<8x3x3x16xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.pad %13, %cst_13, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x6x6x16xf32>, tensor<f32>) -> tensor<8x6x6x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = "stablehlo.select_and_scatter"(%55, %54, %cst_14) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %111 = stablehlo.compare GE, %arg14, %arg15, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %111 : tensor<i1>
    }, {
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %111 = stablehlo.add %arg14, %arg15 : tensor<f32>
      stablehlo.return %111 : tensor<f32>
    }) : (tensor<8x6x6x16xf32>, tensor<8x3x3x16xf32>, tensor<f32>) -> tensor<8x6x6x16xf32>
    %57 = stablehlo.slice %56 [0:8, 0:6, 0:6, 0:16] : (tensor<8x6x6x16xf32>) -> tensor<8x6x6x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x6x6x16xf32>
    %59 = stablehlo.select %15, %57, %58 : tensor<8x6x6x16xi1>, tensor<8x6x6x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_16) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x6x6x16xf32>, tensor<f32>) -> tensor<16xf32>
    %61 = stablehlo.reshape %60 : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.reduce(%61 init: %cst_17) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %63 = stablehlo.convolution(%8, %59) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x6x6x8xf32>, tensor<8x6x6x16xf32>) -> tensor<3x3x8x16xf32>
    %64 = stablehlo.reverse %arg2, dims = [0, 1] : tensor<3x3x8x16xf32>
    %65 = stablehlo.convolution(%59, %64) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x6x6x16xf32>, tensor<3x3x8x16xf32>) -> tensor<8x6x6x8xf32>
    %cst_18 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %66 = stablehlo.pad %4, %cst_18, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x12x12x8xf32>, tensor<f32>) -> tensor<8x12x12x8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = "stablehlo.select_and_scatter"(%66, %65, %cst_19) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %111 = stablehlo.compare GE, %arg14, %arg15, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %111 : tensor<i1>
    }, {
    ^bb0(%arg14: tensor<f32>, %arg15: tensor<f32>):
      %111 = stablehlo.add %arg14, %arg15 : tensor<f32>
      stablehlo.return %111 : tensor<f32>
    }) : (tensor<8x12x12x8xf32>, tensor<8x6x6x8xf32>, tensor<f32>) -> tensor<8x12x12x8xf32>
    %68 = stablehlo.slice %67 [0:8, 0:12, 0:12, 0:8] : (tensor<8x12x12x8xf32>) -> tensor<8x12x12x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x12x12x8xf32>
    %70 = stablehlo.select %6, %68, %69 : tensor<8x12x12x8xi1>, tensor<8x12x12x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_21) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x12x12x8xf32>, tensor<f32>) -> tensor<8xf32>
    %72 = stablehlo.reshape %71 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%72 init: %cst_22) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %74 = stablehlo.convolution(%arg12, %70) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x12x12x3xf32>, tensor<8x12x12x8xf32>) -> tensor<3x3x3x8xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<3x3x3x8xf32>
    %76 = stablehlo.multiply %75, %arg6 : tensor<3x3x3x8xf32>
    %77 = stablehlo.add %76, %74 : tensor<3x3x3x8xf32>
    %cst_24 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %79 = stablehlo.multiply %78, %arg7 : tensor<8xf32>
    %80 = stablehlo.add %79, %73 : tensor<8xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<3x3x8x16xf32>
    %82 = stablehlo.multiply %81, %arg8 : tensor<3x3x8x16xf32>
    %83 = stablehlo.add %82, %63 : tensor<3x3x8x16xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %85 = stablehlo.multiply %84, %arg9 : tensor<16xf32>
    %86 = stablehlo.add %85, %62 : tensor<16xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<144x10xf32>
    %88 = stablehlo.multiply %87, %arg10 : tensor<144x10xf32>
    %89 = stablehlo.add %88, %52 : tensor<144x10xf32>
    %cst_28 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %91 = stablehlo.multiply %90, %arg11 : tensor<10xf32>
    %92 = stablehlo.add %91, %50 : tensor<10xf32>
    %cst_29 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<3x3x3x8xf32>
    %94 = stablehlo.multiply %93, %77 : tensor<3x3x3x8xf32>
    %95 = stablehlo.subtract %arg0, %94 : tensor<3x3x3x8xf32>
    %cst_30 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %97 = stablehlo.multiply %96, %80 : tensor<8xf32>
    %98 = stablehlo.subtract %arg1, %97 : tensor<8xf32>
    %cst_31 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<3x3x8x16xf32>
    %100 = stablehlo.multiply %99, %83 : tensor<3x3x8x16xf32>
    %101 = stablehlo.subtract %arg2, %100 : tensor<3x3x8x16xf32>
    %cst_32 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %103 = stablehlo.multiply %102, %86 : tensor<16xf32>
    %104 = stablehlo.subtract %arg3, %103 : tensor<16xf32>
    %cst_33 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<144x10xf32>
    %106 = stablehlo.multiply %105, %89 : tensor<144x10xf32>
    %107 = stablehlo.subtract %arg4, %106 : tensor<144x10xf32>
    %cst_34 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %109 = stablehlo.multiply %108, %92 : tensor<10xf32>
    %110 = stablehlo.subtract %arg5, %109 : tensor<10xf32>
    return %41, %95, %98, %101, %104, %107, %110, %77, %80, %83, %86, %89, %92 : tensor<f32>, tensor<3x3x3x8xf32>, tensor<8xf32>, tensor<3x3x8x16xf32>, tensor<16xf32>, tensor<144x10xf32>, tensor<10xf32>, tensor<3x3x3x8xf32>, tensor<8xf32>, tensor<3x3x8x16xf32>, tensor<16xf32>, tensor<144x10xf32>, tensor<10xf32>
  }
  func.func private @relu(%arg0: tensor<8x12x12x8xf32>) -> tensor<8x12x12x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x12x12x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x12x12x8xf32>
    return %1 : tensor<8x12x12x8xf32>
  }
  func.func private @relu_0(%arg0: tensor<8x6x6x16xf32>) -> tensor<8x6x6x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x6x6x16xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x6x6x16xf32>
    return %1 : tensor<8x6x6x16xf32>
  }
  func.func private @log_softmax(%arg0: tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x10xf32>
    %6 = stablehlo.exponential %5 : tensor<8x10xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %9 = stablehlo.log %8 : tensor<8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<8x10xf32>
    return %11, %6, %8 : tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x1xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<8x10xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<8x10xf32>) -> tensor<8x10xf32> {
    %0 = stablehlo.negate %arg2 : tensor<8x10xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<8x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x10xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<8x10xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<8x10xf32>
    return %7 : tensor<8x10xf32>
  }
}
